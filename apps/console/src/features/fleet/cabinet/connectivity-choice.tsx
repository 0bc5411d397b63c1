// Counts of online, offline and retired cabinets; a click filters by one.

import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { ReactNode } from "react";
import { formatNumber } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { ChoiceBar } from "../../../ui/form/choice-bar.tsx";
import { type SearchValues, useListState } from "../../../ui/list/list-state.ts";

/** Filter of each choice; a retired cabinet is neither online nor offline. */
const filters = {
  ALL: { connectivity: "", lifecycle: "" },
  ONLINE: { connectivity: "ONLINE" },
  CONNECTING: { connectivity: "CONNECTING" },
  OFFLINE: { connectivity: "OFFLINE" },
  NEVER: { connectivity: "NEVER" },
  RETIRED: { connectivity: "", lifecycle: "RETIRED" },
} as const satisfies Record<string, SearchValues>;
type Choice = keyof typeof filters;

function chosenBy({ connectivity, lifecycle }: SearchValues): Choice | null {
  if (lifecycle === "RETIRED") return connectivity ? null : "RETIRED";
  if (connectivity) return connectivity in filters ? (connectivity as Choice) : null;
  return lifecycle ? null : "ALL";
}

export function ConnectivityChoice() {
  const { texts, filter } = useListState();
  const tenantId = Number(texts.tenantId) || undefined;
  const query = tenantId ? { tenantId } : {};
  const { data } = useCall(cabinetContract.statistics, { query });
  const connecting = data ? data.total - data.online - data.offline - data.never : 0;
  const isConnecting = connecting > 0 || texts.connectivity === "CONNECTING";
  const counted = (label: string, count: number | undefined) => (
    <>
      {label} <b>{formatNumber(count)}</b>
    </>
  );
  return (
    <ChoiceBar<Choice>
      label="按在线状态查看"
      choices={[
        ["ALL", counted("全部", data && data.total + data.retired)],
        ["ONLINE", counted("在线", data?.online)],
        ...(isConnecting
          ? [["CONNECTING", counted("连接中", connecting)] as [Choice, ReactNode]]
          : []),
        ["OFFLINE", counted("离线", data?.offline)],
        ["NEVER", counted("从未连接", data?.never)],
        ["RETIRED", counted("已停用", data?.retired)],
      ]}
      chosen={chosenBy(texts)}
      onChoose={(choice) => filter({ lifecycle: keptLifecycle(texts), ...filters[choice] })}
    />
  );
}

/** Drops the filter `RETIRED`: the other choices exclude retired cabinets. */
function keptLifecycle({ lifecycle = "" }: SearchValues): string {
  return lifecycle === "RETIRED" ? "" : lifecycle;
}
