// One cabinet's secrets in full: those in force, and the last that ended.
import type { KeyedCabinet } from "@cabinet/contract/cabinet-secret/cabinet-secret.contract.ts";
import { keyStateText } from "@cabinet/contract/cabinet-secret/cabinet-secret.rules.ts";
import { formatDateTime } from "../../kit/format.ts";
import { ConnectivityStatus } from "../../ui/cabinet-status.tsx";
import { DrawerSection, Facts } from "../../ui/detail-drawer.tsx";
import { Age, Status } from "../../ui/status.tsx";
import { keyTone, secretStateText, secretTone } from "./secret-text.ts";
import "../../ui/basics.css";
import "./cabinet-secret.css";

export function SecretDetail({ cabinet }: { cabinet: KeyedCabinet }) {
  return (
    <>
      <DrawerSection title="设备">
        <Facts
          facts={[
            ["编号", cabinet.sn],
            ["租户", cabinet.tenantName],
            ["门店", cabinet.storeName],
            ["在线状态", <ConnectivityStatus key="v" of={cabinet.connectivity} />],
            [
              "密钥状态",
              <Status key="v" tone={keyTone[cabinet.state]}>
                {keyStateText[cabinet.state]}
              </Status>,
            ],
            ["IP 白名单", cabinet.networks.length > 0 ? cabinet.networks.join("、") : "不限"],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="密钥">
        {cabinet.secrets.length === 0 && <p className="ui-cell-none">还没有密钥</p>}
        <ul className="secret-table">
          {cabinet.secrets.map((secret) => (
            <li key={secret.kid}>
              <span className="secret-head">
                <code data-connected={secret.isConnected}>{secret.kid}</code>
                <Status tone={secretTone[secret.state]}>{secretStateText(secret)}</Status>
                {secret.isConnected && <b>当前连接</b>}
              </span>
              <small>
                {formatDateTime(secret.createdAt)} 生成
                {secret.issuedBy && `（${secret.issuedBy}）`}
                {secret.revokedBy && `，由 ${secret.revokedBy} 吊销`}
              </small>
              <small>
                最近使用 <Age time={secret.lastUsedAt} />
              </small>
            </li>
          ))}
        </ul>
      </DrawerSection>
    </>
  );
}
