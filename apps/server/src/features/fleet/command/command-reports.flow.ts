// Applies cabinets' reports to commands: acks, the command journal of a birth, doors opened by a
// command.
import {
  type CommandState,
  hasResult,
  isFinal,
} from "@cabinet/contract/fleet/command/command.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { commandSeconds, countOpen } from "../../../platform/metrics.ts";
import { startSpan } from "../../../platform/tracing.ts";
import type { CabinetKey, CommandReports } from "../../link/device/index.ts";
import { reportedDetail } from "./command-detail.rules.ts";
import { type CommandKey, type StateChange, settleEarlierSessions } from "./delivery.sql.ts";
import { makeFinal } from "./final-state.sql.ts";
import {
  applyReportedStates,
  canHaveOpened,
  findOpeningOf,
  type ReportedState,
} from "./reported-state.sql.ts";

/** The server names its commands by UUID; reports with other ids are ignored. */
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** A door opening whose command the cabinet has just settled. */
export interface Opening {
  tenantId: number;
  cabinetId: number;
  no: number | null;
  state: CommandState;
}

/** Receives settled door openings to detect lock faults; implemented by the malfunction feature. */
export interface OpeningReports {
  /** Runs in the report's transaction, in the order in which the cabinet reported them. */
  settled(db: Db, openings: readonly Opening[]): Promise<void>;
}

export const commandReports = (openings: OpeningReports): CommandReports => {
  async function apply(
    db: Db,
    cabinet: CabinetKey,
    reported: readonly ReportedState[],
    lineEpoch: number,
  ) {
    if (reported.length === 0) return;
    const outcomes = await applyReportedStates(db, cabinet, reported, lineEpoch);
    const changes = outcomes.filter(({ isApplied }) => isApplied);
    await publishCommands(db, outcomes);
    observeStages(changes);
    const changed = new Map(changes.map((change) => [change.id, change]));
    const settled = reported
      .flatMap(({ id }) => changed.get(id) ?? [])
      .filter(({ kind, state }) => kind === "OPEN" && hasResult(state));
    if (settled.length > 0) await openings.settled(db, settled);
  }

  return {
    acknowledge(db, cabinet, entries, lineEpoch) {
      const reported = entries
        .filter(({ cmdId }) => uuid.test(cmdId))
        .map(({ order, ...message }): ReportedState => {
          const { cmdId: id, seq, stage: state, reason } = message;
          // Only acks carry a report number of their own; the other states come from a birth's
          // journal.
          const topic = "bootNo" in message ? "up/ack" : "up/birth";
          const detail = reportedDetail(state, reason);
          return { id, seq, state, detail, reason, topic, message, ...order };
        });
      return apply(db, cabinet, reported, lineEpoch);
    },

    /**
     * A door sensor event stands in for a lost ack: the command that it names, if it can be the cause, or else the opening
     * that it can belong to, opened the door.
     */
    async doorOpened(db, cabinet, { cmdId, ...opening }) {
      const isNamed =
        cmdId !== undefined &&
        uuid.test(cmdId) &&
        (await canHaveOpened(db, cabinet, cmdId, opening));
      const id = isNamed ? cmdId : (await findOpeningOf(db, cabinet, opening))?.id;
      if (id === undefined) return null;
      const { no, side, order } = opening;
      await apply(db, cabinet, [{ id, no, side, state: "CONFIRMED", detail: null, ...order }], 0);
      return id;
    },

    async settleEarlier(db, cabinet, session) {
      const changes = await settleEarlierSessions(db, cabinet, session);
      await publishChanges(db, changes);
    },
  };
};

/** Publishes the changes to the live channel, once per cabinet, and records their metrics. */
export async function publishChanges(db: Db, changes: readonly StateChange[]): Promise<void> {
  await publishCommands(db, changes);
  observeStages(changes);
}

async function publishCommands(db: Db, changed: readonly CabinetKey[]): Promise<void> {
  const cabinets = new Map(changed.map(({ cabinetId, tenantId }) => [cabinetId, tenantId]));
  for (const [cabinetId, tenantId] of cabinets) {
    await pushLive(db, { topic: "command", tenantId, cabinetId });
  }
}

/** Counts the result; false if a report has changed it meanwhile. */
export async function settleFinally(db: Db, key: CommandKey): Promise<boolean> {
  const change = await makeFinal(db, key);
  if (change) countResult(change);
  return change !== null;
}

/** Metrics, and a span from the command's creation to this stage: the ack is the last one of its trace. */
function observeStages(changes: readonly StateChange[]): void {
  for (const { kind, state, seconds, tenantId, id, traceparent } of changes) {
    if (traceparent) {
      startSpan({
        name: `command ${state}`,
        kind: "consumer",
        parent: traceparent,
        startMs: Date.now() - seconds * 1_000,
        facts: { "command.id": id, "command.kind": kind, "tenant.id": tenantId },
      })?.end();
    }
    if (!hasResult(state)) commandSeconds.observe({ kind, state }, seconds);
  }
  // One that counted as final before is in the figures already.
  for (const change of changes) {
    if (isFinal(change.state) && change.finalState === null) countResult(change);
  }
}

/** Each command counts once, by its final result: UNKNOWN is often followed by CONFIRMED (0120). */
function countResult({ kind, state, seconds, tenantId }: StateChange): void {
  commandSeconds.observe({ kind, state }, seconds);
  if (kind === "OPEN") countOpen(tenantId, state);
}
