// 操作日志: commands with actor, reason, result and the duration of each stage.
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { commandActText, commandStateText } from "@cabinet/contract/fleet/command/command.rules.ts";
import { actorKindText } from "@cabinet/contract/vocabulary/order.rules.ts";
import { Navigate } from "react-router";
import { commandTitle } from "../../../domain/cabinet/command-stages.rules.ts";
import { LogHeading } from "../../../domain/cabinet/log-heading.tsx";
import { ListPage } from "../../../domain/list-page.tsx";
import { ChoiceBar } from "../../../ui/form/choice-bar.tsx";
import { choiceFilter, choicesOf, digitsFilter, textFilter } from "../../../ui/list/filters.tsx";
import { type SearchValues, textsOf, useListState } from "../../../ui/list/list-state.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { commandColumns } from "./command-columns.tsx";
import { CommandDetail } from "./command-detail.tsx";

const actorChoices = Object.entries(actorKindText);

const filters = [
  timeRangeFilter(["from", "to"], "时间"),
  textFilter("keyword", "设备", "输入编号或名称"),
  choiceFilter("act", "操作", choicesOf(commandActText)),
  choiceFilter("state", "结果", choicesOf(commandStateText)),
  digitsFilter("no", "格口号"),
  textFilter("actorName", "操作人"),
];

/** Without a kind of actor in the URL: what staff have done. */
const usualQuery = (texts: SearchValues) =>
  new URLSearchParams(texts.actorKind || texts.act ? texts : { ...texts, actorKind: "OPERATOR" });

const prefetchRows = listPrefetch(commandContract.list);

export async function prefetch({ href, searchParams }: URL): Promise<void> {
  const url = new URL(href);
  url.search = `${usualQuery(textsOf(searchParams))}`;
  await prefetchRows(url);
}

export default function CommandLogPage() {
  const { texts } = useListState();
  if (texts.actorKind || texts.act) return <Commands />;
  return <Navigate to={{ search: `?${usualQuery(texts)}` }} replace />;
}

/** Not a kind of the API: removes the filter. */
const ALL = "ALL";

function Commands() {
  const { texts, filter } = useListState();
  const cabinetId = Number(texts.cabinetId) || undefined;
  return (
    <ListPage
      title="操作日志"
      heading={
        <>
          <LogHeading of="record" cabinetId={cabinetId} />
          <ChoiceBar
            label="操作人类型"
            choices={[...actorChoices, [ALL, "全部"]]}
            chosen={texts.actorKind ?? ALL}
            onChoose={(actorKind) => filter({ actorKind })}
          />
        </>
      }
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
