// Details of a cabinet's secrets: those in force, and the latest that ended.
import type { KeyedCabinet } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";
import { keyStateText } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.rules.ts";
import { ConnectivityStatus } from "../../../domain/cabinet/cabinet-status.tsx";
import { KeyList } from "../../../domain/key/key-list.tsx";
import { keyTone } from "../../../domain/key/key-text.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { Status } from "../../../ui/display/status.tsx";

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
        <KeyList keys={cabinet.secrets} />
      </DrawerSection>
    </>
  );
}
