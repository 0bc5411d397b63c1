// 故障处理: live list of malfunctions with severity, assignee, deadline and actions.

import { queryFromText } from "@cabinet/contract/kit/query-text.rules.ts";
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import {
  malfunctionStateText,
  severityText,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import { malfunctionKindText } from "@cabinet/contract/vocabulary/malfunction.rules.ts";
import { useState } from "react";
import { Navigate } from "react-router";
import { ListPage } from "../../../domain/list-page.tsx";
import {
  namedChoices,
  type OfTenant,
  storeFilter,
  tenantChoiceFilter,
} from "../../../domain/tenant/tenant-choice-filter.tsx";
import { usePermissions } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { currentSession, useSignedIn } from "../../../kit/session.ts";
import { Button } from "../../../ui/display/button.tsx";
import { ChoiceBar } from "../../../ui/form/choice-bar.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { type SearchValues, textsOf, useListState } from "../../../ui/list/list-state.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { useAskedNew } from "../../../ui/list/use-asked-new.ts";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { CreateMalfunction } from "./create-malfunction.tsx";
import { useMalfunctionActions } from "./malfunction-actions.tsx";
import { malfunctionColumns } from "./malfunction-columns.tsx";
import { MalfunctionDetail } from "./malfunction-detail.tsx";
import { nameOf } from "./malfunction-status.tsx";
import { SlaDialog } from "./sla-dialog.tsx";
import "./malfunction.css";

const OPTIONS_STALE_MS = 60_000;
/** userType of maintenance staff. */
const MAINTENANCE = 2;

function useAssigneeChoices(query: OfTenant) {
  const people = useCall(malfunctionContract.assignees, { query }, { staleTime: OPTIONS_STALE_MS });
  return [
    { value: "mine", label: "我处理的" },
    { value: "none", label: "未派单" },
    ...(namedChoices(people.data) ?? []),
  ];
}

function filtersFor(userType: UserType) {
  return [
    textFilter("keyword", "设备", "编号/名称/门店"),
    choiceFilter("kind", "故障类型", choicesOf(malfunctionKindText)),
    choiceFilter("severity", "级别", choicesOf(severityText)),
    // Maintenance staff choose between 待办, 我的 and 全部 above the filters.
    ...(userType === MAINTENANCE
      ? []
      : [tenantChoiceFilter("assignee", "处理人", useAssigneeChoices)]),
    storeFilter(),
    choiceFilter("isOverdue", "时限", [
      { value: true, label: "已超时" },
      { value: false, label: "未超时" },
    ]),
    choiceFilter("minMinutes", "持续", [
      { value: 30, label: "30 分钟以上" },
      { value: 120, label: "2 小时以上" },
      { value: 480, label: "8 小时以上" },
      { value: 1440, label: "1 天以上" },
      { value: 10_080, label: "7 天以上" },
    ]),
    timeRangeFilter(["from", "to"], "发生时间"),
  ];
}

/**
 * Without a state in the URL: open malfunctions; maintenance staff see those that they work on or could
 * accept.
 */
function usualQuery(texts: SearchValues, userType: UserType): URLSearchParams {
  const mine = userType === MAINTENANCE && { assignee: "mine-or-none" };
  return new URLSearchParams(texts.state ? texts : { ...mine, ...texts, state: "OPEN" });
}

const prefetchRows = listPrefetch(malfunctionContract.list);

export async function prefetch({ href, searchParams }: URL): Promise<void> {
  const session = currentSession();
  if (!session) return;
  const url = new URL(href);
  url.search = `${usualQuery(textsOf(searchParams), session.userType)}`;
  await prefetchRows(url);
}

export default function MalfunctionListPage() {
  const { texts } = useListState();
  const { userType } = useSignedIn();
  if (texts.state) return <Malfunctions />;
  return <Navigate to={{ search: `?${usualQuery(texts, userType)}` }} replace />;
}

function Malfunctions() {
  const may = usePermissions();
  const { userType } = useSignedIn();
  const filters = filtersFor(userType);
  const { actionsOf, batchOf, dialogs } = useMalfunctionActions();
  const { texts, open } = useListState();
  const tenantId = Number(texts.tenantId) || undefined;
  const [isCreating, setIsCreating] = useState(false);
  useAskedNew(() => setIsCreating(true));
  const [isSettingTerms, setIsSettingTerms] = useState(false);
  return (
    <>
      <ListPage
        title="故障处理"
        heading={userType === MAINTENANCE ? <WorkBar /> : <StateBar />}
        spec={malfunctionContract.list}
        filters={filters}
        columns={malfunctionColumns}
        rowKey={({ id }) => id}
        toolbar={
          <>
            {may("malfunction:write") && (
              <Button type="primary" onClick={() => setIsCreating(true)}>
                新建故障
              </Button>
            )}
            {may("malfunction:assign") && (
              <Button onClick={() => setIsSettingTerms(true)}>处理时限</Button>
            )}
            <Scope />
          </>
        }
        batch={may("malfunction:write") && batchOf}
        live="malfunction"
        actions={{ width: 168, of: nameOf, list: actionsOf }}
        detail={{
          title: nameOf,
          body: ({ id }) => <MalfunctionDetail key={id} id={id} actionsOf={actionsOf} />,
          linked: {
            title: (id) => `故障 #${id}`,
            body: (id) => <MalfunctionDetail key={id} id={id} actionsOf={actionsOf} />,
          },
        }}
        emptyHint={
          texts.state === "OPEN"
            ? "暂无未完结故障；设备异常会自动登记"
            : "暂无符合条件的故障；设备异常会自动登记"
        }
      />
      {dialogs}
      <CreateMalfunction
        isOpen={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={open}
      />
      <SlaDialog
        isOpen={isSettingTerms}
        tenantId={tenantId}
        onClose={() => setIsSettingTerms(false)}
      />
    </>
  );
}

const states = ["CREATED", "ASSIGNED", "PROCESSING", "RESOLVED"] as const;

/** Numbers per unfinished state under the other filters. */
function useCounts(texts: SearchValues) {
  const { data, refetch } = useCall(malfunctionContract.counts, {
    query: queryFromText(malfunctionContract.counts.query, texts),
  });
  useLiveRefresh("malfunction", () => refetch());
  return data;
}

const numbered = (text: string, count: number | undefined) => (
  <>
    {text} {count ? <b>{count}</b> : null}
  </>
);

function StateBar() {
  const { texts, filter } = useListState();
  const { state: _, ...others } = texts;
  const counts = useCounts(others);
  return (
    <div className="malfunction-states">
      <ChoiceBar
        label="状态"
        choices={[
          [
            "OPEN",
            numbered("未完结", counts && counts.CREATED + counts.ASSIGNED + counts.PROCESSING),
          ],
          ...states.map(
            (state) => [state, numbered(malfunctionStateText[state], counts?.[state])] as const,
          ),
          ["CLOSED", malfunctionStateText.CLOSED],
          ["IGNORED", malfunctionStateText.IGNORED],
          // Not a state of the API: removes the state filter.
          ["ALL", "全部"],
        ]}
        chosen={texts.state ?? ""}
        onChoose={(state) => filter({ state })}
      />
    </div>
  );
}

/** Choices of maintenance staff, few enough for one line of a phone. */
const works = {
  MINE_OR_NONE: { state: "OPEN", assignee: "mine-or-none" },
  MINE: { state: "OPEN", assignee: "mine" },
  CREATED: { state: "CREATED", assignee: "" },
  RESOLVED: { state: "RESOLVED", assignee: "" },
  ALL: { state: "ALL", assignee: "" },
} as const;
type Work = keyof typeof works;

function WorkBar() {
  const { texts, filter } = useListState();
  const { state, assignee = "", ...others } = texts;
  const counts = useCounts(others);
  const chosen = (Object.keys(works) as Work[]).find(
    (work) => works[work].state === state && works[work].assignee === assignee,
  );
  return (
    <div className="malfunction-states">
      <ChoiceBar
        label="故障范围"
        choices={[
          ["MINE_OR_NONE", numbered("待办", counts && counts.CREATED + counts.mine)],
          ["MINE", numbered("我的", counts?.mine)],
          ["CREATED", numbered(malfunctionStateText.CREATED, counts?.CREATED)],
          ["RESOLVED", malfunctionStateText.RESOLVED],
          ["ALL", "全部"],
        ]}
        chosen={chosen ?? null}
        onChoose={(work) => filter(works[work])}
      />
    </div>
  );
}

/** Shows the cabinet filter set by a link from another page. */
function Scope() {
  const { texts, filter } = useListState();
  const { cabinetId, compartmentNo } = texts;
  if (!cabinetId) return null;
  return (
    <span>
      只看一台设备{compartmentNo && `的 ${compartmentNo} 号格口`}的故障{" "}
      <button
        type="button"
        className="ui-link"
        onClick={() => filter({ cabinetId: "", compartmentNo: "" })}
      >
        查看全部
      </button>
    </span>
  );
}
