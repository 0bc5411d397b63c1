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
import Alert from "antd/es/alert";
import Button from "antd/es/button";
import Form from "antd/es/form";
import Input from "antd/es/input";
import Select from "antd/es/select";
import { useState } from "react";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { messageOf } from "../../../kit/feedback.ts";
import { Link } from "../../../kit/paths.ts";
import { useWrite } from "../../../kit/query.ts";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { type FieldOf, FormField } from "../../../ui/form/record-form.tsx";
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

const empty = {
  ...{ method: "GET", host: window.location.host, target: "", authorization: "" },
  ...{ contentType: "", idempotencyKey: "", body: "" },
} as const;

export default function SignatureDebugPage() {
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
          initialValues={empty}
          onFinish={(values) => void check(values)}
        >
          <h3>请求</h3>
          {fields.map((field) => (
            <FormField key={field.name} schema={PastedRequest} field={field} />
          ))}
          {failure && <Alert type="error" showIcon role="alert" title={failure} />}
          <div className="ui-form-buttons">
            <Button
              onClick={() => {
                form.resetFields();
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
