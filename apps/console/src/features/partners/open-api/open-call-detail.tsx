// Detail view of one third-party call: request, signed string and response.
import { openRefusalAdvice } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import {
  type OpenCall,
  openCallContract,
} from "@cabinet/contract/partners/open-api/open-call.contract.ts";
import { isOpenError, openErrors } from "@cabinet/contract/partners/open-api/open-error.rules.ts";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { JsonView } from "../../../ui/display/json-view.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { Status } from "../../../ui/display/status.tsx";
import { BusinessOrderLink } from "./business-order-link.tsx";
import { outcomeText, outcomeTone, resultText } from "./open-call-text.ts";
import { SignedText } from "./signed-text.tsx";
import "../../../ui/display/basics.css";
import "./open-api.css";

export function OpenCallView({ call }: { call: OpenCall }) {
  const detail = useCall(openCallContract.get, { params: { id: call.id } }, { staleTime: 60_000 });
  const mayDebug = usePermission("open-app:read");
  const { outcome, refusal, result, orderId } = call;
  return (
    <>
      <DrawerSection title="调用">
        <Facts
          facts={[
            [
              "结果",
              <span key="v" className="open-why">
                <Status tone={outcomeTone[outcome]}>{outcomeText[outcome]}</Status>
                {outcome !== "OK" && <b>{resultText(call)}</b>}
                {refusal && <small>{openRefusalAdvice[refusal]}</small>}
                {isOpenError(result) && !refusal && <small>第三方可以：{openErrors[result]}</small>}
              </span>,
            ],
            ["请求", <code key="v">{`${call.method} ${call.target}`}</code>],
            ["时间", `${formatDateTime(call.at)}，耗时 ${formatNumber(call.ms)} 毫秒`],
            ["接口应用", call.appName],
            ["租户", call.tenantName],
            ["密钥编号", call.kid || null],
            ["来源地址", call.address],
            ["状态码", String(call.status)],
            ["请求编号", <code key="v">{call.requestId}</code>],
            [
              "Idempotency-Key",
              detail.data?.idempotencyKey && <code>{detail.data.idempotencyKey}</code>,
            ],
            ["第三方单号", call.thirdPartyNo],
            ["订单号", <BusinessOrderLink key="order" id={orderId} />],
          ]}
        />
      </DrawerSection>
      {detail.error && !detail.data && (
        <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />
      )}
      {detail.data?.requestBody && (
        <DrawerSection title="请求正文（个人信息已隐藏）">
          <JsonView text={detail.data.requestBody} label="请求正文" />
        </DrawerSection>
      )}
      {detail.data?.responseBody && (
        <DrawerSection title="响应">
          <JsonView text={detail.data.responseBody} label="响应" />
        </DrawerSection>
      )}
      {detail.data?.signedText && (
        <DrawerSection title="服务端的待签字符串">
          <SignedText text={detail.data.signedText} />
        </DrawerSection>
      )}
      {refusal && mayDebug && (
        <Link className="ui-link" to={pathTo("/thirdPartApi/record?view=debug", { call: call.id })}>
          用这次调用调试签名
        </Link>
      )}
    </>
  );
}
