// Detail view of one new device: data, assignment and event history.

import {
  type DeviceStock,
  deviceStockContract,
} from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import {
  stockEventText,
  stockStateText,
} from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import { connectivityText } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useCall } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { Status } from "../../../ui/display/status.tsx";
import { CodeStatus } from "./device-stock-columns.tsx";
import { stockEventTone, stockStateTone } from "./device-stock-display.rules.ts";
import "./device-stock.css";

const time = (at: string | null) => (at ? formatDateTime(at) : null);

export function cabinetPath(device: DeviceStock) {
  return pathTo("/cupboard/index", { keyword: device.sn });
}

/** Next step, phrased for the person who has to do it. */
function nextStep(device: DeviceStock): string {
  if (device.state === "SCRAPPED") return "已报废，不再使用";
  if (device.codeState === "USED") return "已连接平台，无需处理";
  if (device.codeState === "NONE") return "没有激活码：请重新生成";
  if (device.codeState === "EXPIRED") return "激活码已过期：请重新生成";
  if (device.codeState === "CLAIMED") return "设备已领取密钥，等待它首次连接";
  return {
    IN_STOCK: "请分配租户；分配后设备才能激活",
    ACTIVATED: "等待现场激活：在设备上输入激活码",
    ASSIGNED: "等待现场激活：在设备上输入激活码",
  }[device.state];
}

export function DeviceStockDetail({ device }: { device: DeviceStock }) {
  const facts: DescriptionItem[] = [
    ["设备编号", device.sn],
    ["型号", device.modelName],
    [
      "状态",
      <Status key="v" tone={stockStateTone[device.state]}>
        {stockStateText[device.state]}
      </Status>,
    ],
    ["下一步", nextStep(device)],
    ["激活码", <CodeStatus key="v" device={device} />],
    ["激活码有效期至", device.codeState === "VALID" ? time(device.codeExpiresAt) : null],
    ["批次", device.batch || null],
    ["备注", device.remark || null],
    ["登记", `${formatDateTime(device.importedAt)} · ${device.importedBy}`],
  ];
  const whereabouts: DescriptionItem[] = [
    ["租户", device.tenantName],
    ["分配时间", time(device.assignedAt)],
    [
      "设备",
      device.cabinetName && (
        <Link key="v" className="ui-link" to={cabinetPath(device)}>
          {device.cabinetName}
        </Link>
      ),
    ],
    ["在线状态", device.connectivity && connectivityText[device.connectivity]],
    ["激活时间", time(device.activatedAt)],
    ...(device.firstConnectedAt
      ? [["首次连接", formatDateTime(device.firstConnectedAt)] as const]
      : []),
  ];
  return (
    <>
      <DrawerSection title="基本信息">
        <Facts facts={facts} />
      </DrawerSection>
      <DrawerSection title="去向">
        <Facts facts={whereabouts} />
      </DrawerSection>
      <DrawerSection title="处理记录">
        <History device={device} />
      </DrawerSection>
    </>
  );
}

function History({ device }: { device: DeviceStock }) {
  const answer = useCall(deviceStockContract.history, { params: { id: device.id } });
  if (answer.error && !answer.data) {
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  }
  return (
    <ol className="stock-history" aria-busy={!answer.data}>
      {answer.data?.map((event) => (
        <li key={event.id}>
          <Status tone={stockEventTone[event.kind] ?? "quiet"}>{stockEventText[event.kind]}</Status>
          <span className="stock-history-detail">{event.detail}</span>
          <span className="stock-history-when">
            {event.actorName} · {formatDateTime(event.at)}
          </span>
        </li>
      ))}
    </ol>
  );
}
