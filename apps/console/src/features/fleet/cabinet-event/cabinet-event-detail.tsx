// Details of an event: cabinet, time, causing command, raw payload.
import type { CabinetEvent } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { CommandProgress } from "../../../domain/cabinet/command-progress.tsx";
import { commandTitle } from "../../../domain/cabinet/command-stages.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { JsonView } from "../../../ui/display/json-view.tsx";
import { compartmentText, DeviceTime, kindFact } from "./cabinet-event-columns.tsx";
import "../../../ui/display/basics.css";

export function CabinetEventDetail({ event }: { event: CabinetEvent }) {
  const may = usePermissions();
  const isReport = event.n !== null;
  return (
    <>
      <DrawerSection title="详情">
        <Facts
          facts={[
            ["事件", kindFact(event)],
            ["格口", compartmentText(event)],
            ["设备名称", event.cabinetName],
            ["设备编号", event.cabinetSn],
            ["接收时间", formatDateTime(event.receivedAt)],
            ["设备时间", <DeviceTime key="v" event={event} />],
            ["来源", isReport ? "设备上报" : "平台记录"],
            ["上报序号", isReport ? `第 ${event.bootNo} 次启动的第 ${event.n} 条` : null],
          ]}
        />
      </DrawerSection>
      {event.commandId && may("command:read") && (
        <DrawerSection title="由这条指令引起">
          <CauseOf commandId={event.commandId} />
        </DrawerSection>
      )}
      <DrawerSection title={isReport ? "原始报文" : "记录内容"}>
        {event.payload ? (
          <JsonView text={event.payload} label="原始报文" />
        ) : (
          <p className="ui-cell-none">这类事件没有附加内容</p>
        )}
      </DrawerSection>
      {event.no !== null && may("compartment:read") && (
        <Link
          className="ui-link"
          to={pathTo("/cupboard/blockManage", { id: event.cabinetId, no: event.no })}
        >
          查看 {event.no} 号格口
        </Link>
      )}
    </>
  );
}

function CauseOf({ commandId }: { commandId: string }) {
  const answer = useCall(commandContract.get, { params: { id: commandId } });
  if (answer.error) return <p className="ui-cell-none">{answer.error.message}</p>;
  if (!answer.data) return <span className="ui-skeleton" />;
  const command = answer.data;
  return (
    <>
      <p>
        {commandTitle(command)}：{command.actorName}，{command.reason}
      </p>
      <CommandProgress command={command} />
    </>
  );
}
