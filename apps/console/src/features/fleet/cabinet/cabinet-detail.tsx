// Details of a cabinet: place, state, desired and reported settings, latest commands.

import {
  type Cabinet,
  cabinetContract,
  type CabinetDetail as Detail,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { storeOutageText } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import { configLines, configName } from "@cabinet/contract/fleet/cabinet/config-sync.rules.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import {
  nearestRule,
  pricingScopeText,
  pricingText,
  type RatedRule,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { configFields, configValue } from "../../../domain/cabinet/cabinet-config-fields.tsx";
import {
  OrderNotice,
  ServiceStatus,
  servicePeriodText,
} from "../../../domain/cabinet/cabinet-service.tsx";
import { ConnectivityStatus, LifecycleStatus } from "../../../domain/cabinet/cabinet-status.tsx";
import { commandTitle, stateText, toneOf } from "../../../domain/cabinet/command-stages.rules.ts";
import { SimulatedLink } from "../../../domain/cabinet/simulated-link.tsx";
import { OpenIncidents } from "../../../domain/open-incidents.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { AnswerState, ErrorState } from "../../../ui/display/states.tsx";
import { Age, Status } from "../../../ui/display/status.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { ConfigStatus, Signal } from "./cabinet-columns.tsx";
import { countsText } from "./cabinet-display.rules.ts";
import { capabilitiesText, readingFacts } from "./cabinet-traits.tsx";
import "../../../ui/display/basics.css";
import "./cabinet-detail.css";

export function CabinetDetail({ cabinet }: { cabinet: Cabinet }) {
  const answer = useCall(cabinetContract.get, { params: { id: cabinet.id } });
  useLiveRefresh("cabinet", () => answer.refetch(), { cabinetId: cabinet.id });
  const mayReadCommands = usePermission("command:read");
  const detail = answer.data?.id === cabinet.id ? answer.data : undefined;
  if (answer.error && !detail) {
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  }
  return (
    <>
      <OrderNotice cabinet={cabinet} />
      <OpenIncidents of={{ cabinetId: cabinet.id }} />
      <DrawerSection title="运行状态">
        <Facts facts={runningFacts(cabinet, detail)} />
      </DrawerSection>
      <DrawerSection title="基本信息">
        <Facts facts={basicFacts(cabinet, detail)} />
      </DrawerSection>
      <DrawerSection title="参数">
        <ConfigTable detail={detail} />
      </DrawerSection>
      {mayReadCommands && (
        <DrawerSection title="最近操作">
          <LastCommands cabinetId={cabinet.id} />
        </DrawerSection>
      )}
    </>
  );
}

function runningFacts(cabinet: Cabinet, detail: Detail | undefined): DescriptionItem[] {
  const temperature = detail?.temperatureC;
  const skew = detail?.clockSkewSeconds;
  return [
    [
      "在线状态",
      <span key="v">
        <ConnectivityStatus of={cabinet.connectivity} /> <SimulatedLink cabinetId={cabinet.id} />
      </span>,
    ],
    ...outageFact(cabinet),
    ["最近心跳", <Age key="v" time={cabinet.lastSeenAt} />],
    ["运营状态", <LifecycleStatus key="v" of={cabinet.lifecycle} />],
    ["服务状态", <ServiceStatus key="v" service={cabinet.service} />],
    ["服务期", servicePeriodText(cabinet.service)],
    ["信号", <Signal key="v" dbm={cabinet.signalDbm} />],
    ["格口", countsText(cabinet.compartments)],
    ["柜内温度", temperature == null ? temperature : `${temperature} ℃`],
    ["设备时钟偏差", skew == null ? skew : `${skew} 秒`],
    ...readingFacts(detail?.invalidReadings),
    ["配置同步", <ConfigStatus key="v" cabinet={cabinet} />],
  ];
}

function outageFact({ storeOutage }: Cabinet): DescriptionItem[] {
  return storeOutage ? [["离线原因", storeOutageText(storeOutage)]] : [];
}

function basicFacts(cabinet: Cabinet, detail: Detail | undefined): DescriptionItem[] {
  return [
    ["编号", cabinet.sn],
    ["型号", `${cabinet.modelName}（${sideText[cabinet.side]}）`],
    ["门店", cabinet.storeName],
    ["门店地址", detail?.storeAddress],
    ["位置说明", detail && (detail.place || null)],
    ["客服电话", detail && (detail.servicePhone || null)],
    ["开放时间", detail && (detail.openingHours || detail.storeOpeningHours || null)],
    ["租户", cabinet.tenantName],
    ["厂商", detail && (detail.modelVendor || null)],
    ["能力", detail && capabilitiesText(detail.modelCapabilities)],
    ["程序版本", cabinet.appVersion],
    ["计费规则", detail && pricingLine(detail)],
    ["登记时间", detail && formatDateTime(detail.createdAt)],
  ];
}

/** Formats as `门店规则：每 1 小时 1 元；…`. */
function pricingLine({ pricing }: Detail): string {
  const { scope, rule } = nearestRule<RatedRule>({
    CABINET: pricing.cabinet,
    STORE: pricing.store,
    TENANT: pricing.tenant,
  });
  return `${pricingScopeText[scope]}：${pricingText(rule)}`;
}

const configNames = configFields.map(({ name }) => name);

/** Desired next to reported values; marks those that differ or are not reported. */
function ConfigTable({ detail }: { detail: Detail | undefined }) {
  return (
    <table className="cabinet-config">
      <thead>
        <tr>
          <th>参数</th>
          <th>下发值{detail && ` v${detail.desiredConfigVersion}`}</th>
          <th>
            设备上报值
            {detail?.reportedConfigVersion != null && ` v${detail.reportedConfigVersion}`}
          </th>
        </tr>
      </thead>
      <tbody>
        {!detail && (
          <tr>
            <td colSpan={3}>
              <span className="ui-skeleton" />
            </td>
          </tr>
        )}
        {detail &&
          configLines(configNames, detail).map(({ name, desired, reported, state }) => (
            <tr key={name} data-differs={state === "DIFFERS" || state === "UNREPORTED"}>
              <th scope="row">{configName(name)}</th>
              <td>{configValue(name, desired) ?? "—"}</td>
              <td>{configValue(name, reported) ?? (state === "UNREPORTED" ? "未上报" : "—")}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function LastCommands({ cabinetId }: { cabinetId: number }) {
  const answer = useCall(commandContract.list, { query: { page: 1, pageSize: 5, cabinetId } });
  useLiveRefresh("command", () => answer.refetch(), { cabinetId });
  if (!answer.data) return <AnswerState answer={answer} />;
  if (answer.data.list.length === 0) return <p className="ui-cell-none">暂无操作记录</p>;
  return (
    <>
      <ul className="cabinet-commands">
        {answer.data.list.map((command) => (
          <li key={command.id}>
            <span className="cabinet-command-what">{commandTitle(command)}</span>
            <Status tone={toneOf(command.state)}>{stateText(command.kind, command.state)}</Status>
            <span className="cabinet-command-who">
              {command.actorName} · <Age time={command.createdAt} />
            </span>
          </li>
        ))}
      </ul>
      <Link className="ui-link" to={pathTo("/cupboard/record", { cabinetId })}>
        查看全部操作日志
      </Link>
    </>
  );
}
