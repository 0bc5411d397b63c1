// Detail view of one application: scopes, allowed networks and keys.
import { openScopeText } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import type { OpenApp } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { openAppStateText } from "@cabinet/contract/vocabulary/open-app.rules.ts";
import { KeyList } from "../../../domain/key/key-list.tsx";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { Status } from "../../../ui/display/status.tsx";
import { appTone } from "./open-app-columns.tsx";
import "../../../ui/display/basics.css";
import "./open-api.css";

export function OpenAppDetail({ app }: { app: OpenApp }) {
  const maySeeCalls = usePermission("open-call:read");
  return (
    <>
      <DrawerSection title="应用">
        <Facts
          facts={[
            ["应用编号", <code key="v">{app.code}</code>],
            ["租户", app.tenantName],
            [
              "状态",
              <Status key="v" tone={appTone[app.state]}>
                {openAppStateText[app.state]}
                {app.disabledReason && `（${app.disabledReason}）`}
              </Status>,
            ],
            [
              "接口权限",
              <ul key="v" className="open-scopes">
                {app.scopes.map((scope) => (
                  <li key={scope}>{openScopeText[scope]}</li>
                ))}
              </ul>,
            ],
            ["IP 白名单", app.networks.length > 0 ? app.networks.join("、") : "不限"],
            ["每分钟最多请求", `${formatNumber(app.ratePerMinute)} 次`],
            ["预约最多占用格口", `${app.reserveSharePercent}%（每台设备、每种大小，至少 2 个）`],
            [
              "费用",
              app.isSettling ? "由第三方与租户结算，开门时免收" : "由取件人支付，未付清不开门",
            ],
            [
              "今日调用",
              <>
                {formatNumber(app.callsToday)} 次，其中 {formatNumber(app.refusedToday)}{" "}
                次未通过验证{" "}
                {maySeeCalls && (
                  <Link
                    className="ui-link"
                    to={pathTo("/thirdPartApi/record?view=calls", { appId: app.id })}
                  >
                    查看记录
                  </Link>
                )}
              </>,
            ],
            ["备注", app.remark || null],
            ["新增", formatDateTime(app.createdAt)],
            ["最近修改", `${formatDateTime(app.editedAt)}，${app.editedBy}`],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="密钥">
        <KeyList keys={app.keys} />
      </DrawerSection>
    </>
  );
}
