// 操作日志: commands with actor, reason, result and the duration of each stage.
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import {
  commandKindText,
  commandStateText,
} from "@cabinet/contract/fleet/command/command.rules.ts";
import { commandTitle } from "../../../domain/cabinet/command-stages.rules.ts";
import { LogHeading } from "../../../domain/cabinet/log-heading.tsx";
import { ListPage } from "../../../domain/list-page.tsx";
import { choiceFilter, choicesOf, digitsFilter, textFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { commandColumns } from "./command-columns.tsx";
import { CommandDetail } from "./command-detail.tsx";

const filters = [
  timeRangeFilter(["from", "to"], "时间"),
  textFilter("keyword", "设备", "输入编号或名称"),
  choiceFilter("kind", "操作", choicesOf(commandKindText)),
  choiceFilter("state", "结果", choicesOf(commandStateText)),
  digitsFilter("no", "格口号"),
  textFilter("actorName", "操作人"),
];

export const prefetch = listPrefetch(commandContract.list);

export default function CommandLogPage() {
  const cabinetId = Number(useListState().texts.cabinetId) || undefined;
  return (
    <ListPage
      title="操作日志"
      heading={<LogHeading of="record" cabinetId={cabinetId} />}
      spec={commandContract.list}
      filters={filters}
      columns={commandColumns}
      rowKey={(command) => command.id}
      live="command"
      detail={{
        title: commandTitle,
        body: (command) => <CommandDetail key={command.id} command={command} />,
      }}
      emptyHint="远程开门、重启等操作会记录在这里"
    />
  );
}
