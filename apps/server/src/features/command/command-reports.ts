// What cabinets say of commands: acks, journals of births; and who is told of it.
import { type CommandState, isSettled } from "@cabinet/contract/command/command.rules.ts";
import type { Db } from "../../platform/db.ts";
import { pushLive } from "../../platform/live.ts";
import { commandSeconds } from "../../platform/metrics.ts";
import type { CommandReports } from "../device/index.ts";
import { reportedDetail } from "./command-detail.rules.ts";
import { applyReportedStates, type StateChange, settleEarlierSessions } from "./delivery.sql.ts";

/** The server's commands are named by UUIDs; other names are none of ours. */
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** One opening of a door as the cabinet itself told it. */
export interface Opening {
  tenantId: number;
  cabinetId: number;
  no: number | null;
  state: CommandState;
}

/** What is told to whoever watches over locks; the malfunctions' feature fills it in. */
export interface OpeningReports {
  /** Runs in the transaction of the report; in the order in which the cabinet tells of them. */
  settled(db: Db, openings: readonly Opening[]): Promise<void>;
}

export const commandReports = (openings: OpeningReports): CommandReports => ({
  async acknowledge(db, cabinet, entries) {
    const reported = entries
      .filter(({ cmdId }) => uuid.test(cmdId))
      .map((message) => {
        const { order, ...said } = message;
        const { cmdId: id, stage: state, reason } = said;
        // An ack is a report of its own; what has no number stood in the journal of a birth.
        const topic = "bootNo" in said ? "up/ack" : "up/birth";
        const detail = reportedDetail(state, reason);
        return { id, state, detail, topic, message: said, ...order };
      });
    if (reported.length === 0) return;
    const changes = await applyReportedStates(db, cabinet, reported);
    await tell(db, changes);
    const changed = new Map(changes.map((change) => [change.id, change]));
    const settled = reported
      .flatMap(({ id }) => changed.get(id) ?? [])
      .filter(({ kind, state }) => kind === "OPEN" && isSettled(state));
    if (settled.length > 0) await openings.settled(db, settled);
  },

  async settleEarlier(db, cabinet, session) {
    await tell(db, await settleEarlierSessions(db, cabinet, session));
  },
});

/** Tells the consoles, once per cabinet, and the metrics. */
export async function tell(db: Db, changes: readonly StateChange[]): Promise<void> {
  const cabinets = new Map(changes.map((change) => [change.cabinetId, change.tenantId]));
  for (const [cabinetId, tenantId] of cabinets) {
    await pushLive(db, { topic: "command", tenantId, cabinetId });
  }
  for (const { kind, state, seconds } of changes) commandSeconds.observe({ kind, state }, seconds);
}
