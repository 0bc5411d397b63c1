// 设备状态日志: reports of cabinets and observations of the server, with the raw payload of each.
import { cabinetEventContract } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.contract.ts";
import {
  type EventGroup,
  eventGroupOf,
  eventGroupText,
  eventKindText,
  knownKinds,
} from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import { LogHeading } from "../../../domain/cabinet/log-heading.tsx";
import { ListPage } from "../../../domain/list-page.tsx";
import { choiceFilter, choicesOf, digitsFilter, textFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { cabinetEventColumns } from "./cabinet-event-columns.tsx";
import { CabinetEventDetail } from "./cabinet-event-detail.tsx";
import { PresenceTimeline } from "./presence-timeline.tsx";

/** Event kinds of the chosen group, or all. */
function kindChoices(group: string | undefined) {
  return knownKinds
    .filter((kind) => !group || eventGroupOf(kind) === (group as EventGroup))
    .map((kind) => ({ value: kind, label: eventKindText(kind) }));
}

function filtersFor(group: string | undefined, isOneCabinet: boolean) {
  return [
    timeRangeFilter(["from", "to"], "时间"),
    ...(isOneCabinet ? [] : [textFilter("keyword", "设备", "输入编号或名称")]),
    choiceFilter("group", "类别", choicesOf(eventGroupText)),
    choiceFilter("kind", "事件", kindChoices(group)),
    choiceFilter("isProblem", "是否异常", [
      { value: true, label: "异常" },
      { value: false, label: "正常" },
    ]),
    digitsFilter("no", "格口号"),
  ];
}

export const prefetch = listPrefetch(cabinetEventContract.list);

export default function CabinetEventLogPage() {
  const { texts } = useListState();
  const cabinetId = Number(texts.cabinetId) || undefined;
  return (
    <ListPage
      title="设备状态日志"
      heading={
        <>
          <LogHeading of="log" cabinetId={cabinetId} />
          {cabinetId !== undefined && <PresenceTimeline key={cabinetId} cabinetId={cabinetId} />}
        </>
      }
      spec={cabinetEventContract.list}
      filters={filtersFor(texts.group, cabinetId !== undefined)}
      columns={cabinetEventColumns(cabinetId !== undefined)}
      rowKey={(event) => event.id}
      live="cabinet"
      detail={{
        title: (event) => event.text,
        body: (event) => <CabinetEventDetail event={event} />,
      }}
      emptyHint="设备的上下线、开关门、报警和传感器变化会记录在这里"
    />
  );
}
