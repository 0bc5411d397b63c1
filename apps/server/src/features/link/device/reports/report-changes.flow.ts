// Collects the changes of a batch of reports, to write them in as few statements as possible.
import type { Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { CompartmentReport, ConfigValues, Side } from "@cabinet/link";
import type { CabinetKey } from "../presence/presence.sql.ts";
import type { CabinetRun } from "./cabinet-run.rules.ts";
import { isNewer } from "./report-track.rules.ts";

export interface ReportOrder {
  bootNo: number;
  n: number;
}

/** The cabinet's locked row: read before the report is applied, modified in place. */
export interface ReportingCabinet extends CabinetKey {
  lifecycle: Lifecycle;
  connectionNonce: string | null;
  connectionKid: string | null;
  epoch: number;
  isGreeted: boolean;
  gatewayId: string | null;
  birthNonce: string | null;
  birthBootNo: number | null;
  birthN: number | null;
  announced: "ONLINE" | "OFFLINE" | "NEVER";
  silenceSeconds: number;
  commandSeq: number;
  acknowledgedSeq: number;
  bootBase: number;
  bootNo: number | null;
  lastN: number | null;
  missing: readonly number[];
  heartbeatBootNo: number | null;
  heartbeatMono: number | null;
  appVersion: string | null;
  signalDbm: number | null;
  temperatureC: number | null;
  clockSkewSeconds: number | null;
  /** Fields of its reports whose last value was invalid. */
  invalidReadings: readonly string[];
  /** The last RESYNC, and when it was requested. */
  resyncId: string | null;
  resyncAt: string | null;
  /** A snapshot requested from then on is needed; null: none is. */
  resyncDueAt: string | null;
  /** Newest full snapshot: its first report, and when it was requested (a birth: received). */
  snapshotBootNo: number | null;
  snapshotN: number | null;
  snapshotAskedAt: string | null;
  run: CabinetRun | null;
  /** When births last showed that two cabinets share the identity. */
  identitySharedAt: string | null;
}

export interface CabinetEvent {
  kind: string;
  /** Absent for events that the server itself observed. */
  order?: ReportOrder;
  compartmentNo?: number | undefined;
  side?: string | undefined;
  commandId?: string | undefined;
  /** Unix milliseconds by the cabinet's clock. */
  deviceAt?: number | undefined;
  /** JSON. */
  payload?: string | undefined;
  /** As reported: whether the condition begins, and the measured value. */
  isActive?: boolean;
  value?: number | undefined;
}

/** Change of a cabinet's presence after its last report in the batch. */
export interface Presence {
  isHeard: boolean;
  isEnded: boolean;
}

/** A door that is open, by a report of the compartment's state. */
export interface ShownOpening {
  no: number;
  side: Side;
  order: ReportOrder;
  /** The cabinet's own boot number, and milliseconds since that start. */
  reported: { bootNo: number; mono: number };
}

export class ReportChanges {
  readonly cabinets = new Map<ReportingCabinet, Presence>();
  readonly events: (CabinetKey & CabinetEvent)[] = [];
  /** Doors that a birth or a state report shows open, whose opening no event need have reported. */
  readonly openDoors: (CabinetKey & ShownOpening)[] = [];
  readonly #compartments = new Map<string, CabinetKey & ReportOrder & CompartmentReport>();
  readonly #configs = new Map<number, CabinetKey & ReportOrder & ReportedConfig>();

  /** Marks the row to be written back; `isHeard`: heard over its current connection. */
  touch(cabinet: ReportingCabinet, isHeard: boolean): void {
    const presence = this.#presenceOf(cabinet);
    if (!isHeard) return;
    presence.isHeard = true;
    presence.isEnded = false;
  }

  /**
   * Ends its connection: the cabinet goes offline after the grace period unless it is heard again.
   */
  end(cabinet: ReportingCabinet): void {
    this.#presenceOf(cabinet).isEnded = true;
  }

  note({ tenantId, cabinetId }: CabinetKey, event: CabinetEvent): void {
    this.events.push({ tenantId, cabinetId, ...event });
  }

  /** Keeps the newest of several reports on one compartment. */
  setCompartments(
    { tenantId, cabinetId }: CabinetKey,
    order: ReportOrder,
    rows: readonly CompartmentReport[],
  ): void {
    for (const row of rows) {
      const key = `${cabinetId} ${row.no}`;
      const known = this.#compartments.get(key);
      if (known && !isNewer(order, known)) continue;
      this.#compartments.set(key, { tenantId, cabinetId, ...order, ...row });
    }
  }

  setConfig({ tenantId, cabinetId }: CabinetKey, order: ReportOrder, config: ReportedConfig): void {
    const known = this.#configs.get(cabinetId);
    if (known && !isNewer(order, known)) return;
    const { version, values } = config;
    this.#configs.set(cabinetId, { tenantId, cabinetId, ...order, version, values });
  }

  get compartments() {
    return [...this.#compartments.values()];
  }

  get configs() {
    return [...this.#configs.values()];
  }

  #presenceOf(cabinet: ReportingCabinet): Presence {
    let presence = this.cabinets.get(cabinet);
    if (!presence) {
      presence = { isHeard: false, isEnded: false };
      this.cabinets.set(cabinet, presence);
    }
    return presence;
  }
}

interface ReportedConfig {
  version: number;
  values: ConfigValues;
}
