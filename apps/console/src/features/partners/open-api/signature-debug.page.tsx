// 签名调试: verifies a pasted request and shows the result of each step.
import {
  type OpenRefusal,
  openRefusalText,
} from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import {
  openAppContract,
  PastedRequest,
  type SignatureReport,
} from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import {
  type OpenCallDetail,
  openCallContract,
} from "@cabinet/contract/partners/open-api/open-call.contract.ts";
import Alert from "antd/es/alert";
import Form from "antd/es/form";
import Input from "antd/es/input";
import Select from "antd/es/select";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { messageOf } from "../../../kit/feedback.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Link } from "../../../kit/paths.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { RecordLoading, useIdParam } from "../../../ui/display/one-record.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { type FieldOf, FormField } from "../../../ui/form/record-form.tsx";
import { requestOfCurl } from "./curl.rules.ts";
import { SignedText } from "./signed-text.tsx";
import "../../../ui/display/basics.css";
import "./open-api.css";

const methods = ["GET", "POST"].map((method) => ({ value: method, label: method }));
const mono = { className: "open-input", autoComplete: "off", spellCheck: false } as const;

const fields: FieldOf<typeof PastedRequest>[] = [
  { name: "method", label: "方法", control: <Select options={methods} /> },
  { name: "host", label: "Host", control: <Input {...mono} placeholder="cabinet.example.cn" /> },
  {
    name: "target",
    label: "路径和查询串",
    control: <Input {...mono} placeholder="/open/v1/order?limit=50" />,
    hint: "与发送的逐字符相同",
  },
  {
    name: "authorization",
    label: "Authorization",
    control: (
      <Input.TextArea
        {...mono}
        rows={3}
        placeholder="CAB1-HMAC-SHA256 app=…,kid=…,ts=…,nonce=…,sig=…"
      />
    ),
  },
  {
    name: "contentType",
    label: "Content-Type（没有则留空）",
    control: <Input {...mono} placeholder="application/json" />,
  },
  { name: "idempotencyKey", label: "Idempotency-Key（没有则留空）", control: <Input {...mono} /> },
  {
    name: "body",
    label: "正文（没有则留空）",
    control: <Input.TextArea {...mono} rows={5} />,
    hint: "粘贴时不要增减空格和换行；这里不会保存它",
  },
];

const empty: PastedRequest = {
  ...{ method: "GET", host: window.location.host, target: "", authorization: "" },
  ...{ contentType: "", idempotencyKey: "", body: "" },
};

/** The recorded call as a request; its Authorization and body are not stored. */
function requestOfCall({ method, target, signedText }: OpenCallDetail): PastedRequest {
  const [, , host, signedTarget, contentType, , , idempotencyKey] = signedText?.split("\n") ?? [];
  return {
    ...empty,
    method: method === "POST" ? "POST" : "GET",
    ...(host && { host }),
    target: signedTarget ?? target,
    contentType: contentType ?? "",
    idempotencyKey: idempotencyKey ?? "",
  };
}

/** With `?call=` the form starts with the request of this recorded call. */
export default function SignatureDebugPage() {
  const [params] = useSearchParams();
  const callId = useIdParam("call");
  const call = useCall(
    openCallContract.get,
    { params: { id: callId ?? 0 } },
    { enabled: callId !== null },
  );
  if (callId !== null && call.isLoading) return <RecordLoading />;
  return <SignatureDebug key={params.get("call")} call={call.data} />;
}

function SignatureDebug({ call }: { call: OpenCallDetail | undefined }) {
  const [report, setReport] = useState<SignatureReport | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const debug = useWrite(openAppContract.debug);
  const [form] = Form.useForm<PastedRequest>();
  const check = async (values: PastedRequest) => {
    setFailure(null);
    try {
      setReport(await debug.mutateAsync({ body: { ...empty, ...values } }));
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return (
    <PageCard>
      <ViewSwitch />
      <p className="open-debug-intro">
        原样粘贴第三方发送的请求，逐项检查签名。算法和样例见{" "}
        <Link className="ui-link" to="/doc/sdk">
          接入文档
        </Link>
        ；已经到达的请求在“第三方调用”里有服务端的待签字符串。
      </p>
      <div className="open-debug">
        <Form
          form={form}
          layout="vertical"
          className="ui-form"
          initialValues={call ? requestOfCall(call) : empty}
          onFinish={(values) => void check(values)}
        >
          <h3>请求</h3>
          {call && (
            <Alert
              type="info"
              showIcon
              title={`已带入 ${formatDateTime(call.at)} 的调用（手机号已隐藏）；Authorization 和正文未保存，请粘贴`}
            />
          )}
          <CurlInput onRequest={(request) => form.setFieldsValue(request)} />
          {fields.map((field) => (
            <FormField key={field.name} schema={PastedRequest} field={field} />
          ))}
          {failure && <Alert type="error" showIcon role="alert" title={failure} />}
          <div className="ui-form-buttons">
            <Button
              onClick={() => {
                form.setFieldsValue(empty);
                setReport(null);
              }}
            >
              清空
            </Button>
            <Button type="primary" htmlType="submit" loading={debug.isPending}>
              检查签名
            </Button>
          </div>
        </Form>
        <section aria-live="polite" aria-label="检查结果">
          <h3>检查结果</h3>
          {report ? <Report report={report} /> : <p className="ui-cell-none">检查后显示在这里</p>}
        </section>
      </div>
    </PageCard>
  );
}

/** Fills the fields as soon as the text is a whole command. */
function CurlInput({ onRequest }: { onRequest: (request: PastedRequest) => void }) {
  const [text, setText] = useState("");
  const isWrong = text.trim() !== "" && requestOfCurl(text) === null;
  return (
    <Form.Item
      label="cURL 命令（可选）"
      htmlFor="curl"
      extra={isWrong ? undefined : "粘贴后自动填入下面各项"}
      {...(isWrong && { validateStatus: "error", help: "不是完整的 cURL 命令" })}
    >
      <Input.TextArea
        {...mono}
        id="curl"
        rows={3}
        value={text}
        placeholder="curl -X POST 'https://…' -H 'Authorization: …' -d '…'"
        onChange={({ target }) => {
          setText(target.value);
          const request = requestOfCurl(target.value);
          if (request) onRequest(request);
        }}
      />
    </Form.Item>
  );
}

const good: Record<OpenRefusal, string> = {
  UNREAD: "正文",
  SYNTAX: "请求头写法",
  TIME: "时间",
  APP_DISABLED: "应用",
  KEY_UNKNOWN: "密钥编号",
  KEY_ENDED: "密钥有效",
  TENANT_CLOSED: "租户",
  SCOPE: "接口权限",
  NETWORK: "来源地址",
  SIGNATURE: "签名",
  REPLAY: "随机数",
};

function Report({ report }: { report: SignatureReport }) {
  const { steps, hints, stringToSign } = report;
  const failed = steps.find(({ isOk }) => isOk === false);
  return (
    <>
      <Alert
        type={failed ? "error" : "success"}
        showIcon
        title={failed ? openRefusalText[failed.step] : "全部相符：这个请求会被接受"}
      />
      <ol className="open-steps">
        {steps.map(({ step, isOk, detail }) => (
          <li key={step} data-state={isOk === null ? "skipped" : isOk ? "good" : "bad"}>
            <b>{isOk === null ? "–" : isOk ? "✓" : "✗"}</b>
            <span>{good[step]}</span>
            <span>{isOk === null ? "未检查" : detail || "相符"}</span>
          </li>
        ))}
      </ol>
      {hints.length > 0 && (
        <>
          <h3>这个签名与下面的错误相符</h3>
          <ul className="open-hints">
            {hints.map((hint) => (
              <li key={hint}>{hint}</li>
            ))}
          </ul>
        </>
      )}
      {stringToSign !== null && (
        <>
          <h3>服务端的待签字符串</h3>
          <SignedText text={stringToSign} />
        </>
      )}
    </>
  );
}
