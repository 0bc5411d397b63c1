// Takes reports from a broker: whose they are, in their order, each stored before it is acknowledged.
import { openUp, parseTopic, type SealedMessage } from "@cabinet/link";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { deviceMessages } from "../../platform/metrics.ts";
import type { CabinetQueues } from "./cabinet-queues.ts";
import type { CommandReports } from "./command-reports.ts";
import type { CabinetIdentity, Keyring } from "./keyring.ts";
import type { LiveMarks } from "./live-marks.ts";
import { applyReport, type Report } from "./report.service.ts";

export interface ReceiverParts {
  database: Database;
  keyring: Keyring;
  queues: CabinetQueues;
  liveMarks: LiveMarks;
  commands: CommandReports;
  gatewayId: string;
  log: Log;
  publish(message: SealedMessage): void;
}

export class ReportReceiver {
  readonly #parts: ReceiverParts;

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when the report is stored, or is one that never can be; rejects when it should come
   * again, because the database cannot be reached or too much of this cabinet is waiting.
   */
  async receive(topic: string, payload: Uint8Array): Promise<void> {
    const parsed = parseTopic(topic);
    if (parsed?.direction !== "up") return this.#count("unknown", "BAD_TOPIC");
    const { cabinetId: sn, kind } = parsed;
    await this.#parts.queues.run(sn, async () => {
      const outcome = await this.#store(sn, topic, payload);
      this.#count(kind, outcome);
      if (outcome !== "OK") this.#parts.log.warn({ sn, kind, outcome }, "report not taken");
    });
  }

  #count(kind: string, outcome: string): void {
    deviceMessages.inc({ kind, outcome });
  }

  async #store(sn: string, topic: string, payload: Uint8Array): Promise<string> {
    const { keyring } = this.#parts;
    const known = await keyring.find(sn);
    const first = known ? await this.#storeAs(known, topic, payload) : "UNKNOWN_CABINET";
    if (first !== "UNKNOWN_CABINET" && first !== "BAD_SIGNATURE" && first !== "STALE_KEYS") {
      return first;
    }
    const fresh = await keyring.findAgain(sn);
    return fresh && fresh !== known ? await this.#storeAs(fresh, topic, payload) : first;
  }

  async #storeAs(identity: CabinetIdentity, topic: string, payload: Uint8Array): Promise<string> {
    const { database, liveMarks, commands, gatewayId, log, publish } = this.#parts;
    const opened = openWith(identity, topic, payload);
    if (!opened.ok) return opened.error;
    const { report, kid } = opened;
    const parts = { identity, kid, gatewayId, commands };
    try {
      const answer = await database.transaction({ tenantId: identity.tenantId }, (db) =>
        applyReport(db, report, parts),
      );
      if (!answer) return "STALE_KEYS";
      for (const message of answer) publish(message);
      liveMarks.mark({ tenantId: identity.tenantId, cabinetId: identity.cabinetId });
      return "OK";
    } catch (error) {
      if (!isUnstorable(error)) throw error;
      log.error({ err: error, sn: identity.sn, kind: report.kind }, "report cannot be stored");
      return "UNSTORABLE";
    }
  }
}

function openWith(
  identity: CabinetIdentity,
  topic: string,
  payload: Uint8Array,
): { ok: true; report: Report; kid: string } | { ok: false; error: string } {
  for (const [kid, keys] of identity.keys) {
    const opened = openUp(keys, topic, payload);
    if (opened.ok) return { ok: true, report: opened, kid };
    if (opened.error !== "BAD_SIGNATURE") return opened;
  }
  return { ok: false, error: "BAD_SIGNATURE" };
}

/** The database refuses these contents (classes 22 and 23), and would do so again. */
function isUnstorable(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? "");
}
