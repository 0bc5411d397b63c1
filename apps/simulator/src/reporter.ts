// Numbers, signs and sends reports; keeps important ones until the broker acknowledges them.
import {
  type CabinetKeys,
  type SealedMessage,
  sealUp,
  type Unversioned,
  type UpKind,
  type UpMessages,
} from "@cabinet/link";
import type { Session } from "./transport.ts";

/** A report without the head that the reporter adds. */
export type Body<K extends UpKind> = Omit<UpMessages[K], "v" | "bootNo" | "n" | "mono" | "at">;

type ReportKind = Exclude<UpKind, "will">;

/** Maximum of unsent reports kept while offline; the oldest are dropped first. */
const KEPT_REPORTS = 500;

export interface ReporterOf {
  readonly cabinetId: string;
  readonly keys: CabinetKeys;
  readonly bootNo: number;
  /** Monotonic milliseconds since this boot. */
  mono(): number;
  /** Unix milliseconds; undefined while the clock is not synchronized. */
  unixTime(): number | undefined;
}

export class Reporter {
  /** Number of the last report of this boot. */
  lastN = 0;
  private readonly of: ReporterOf;
  private readonly kept = new Map<number, SealedMessage>();
  private session: Session | undefined;

  constructor(of: ReporterOf) {
    this.of = of;
  }

  attach(session: Session): void {
    this.session = session;
  }

  detach(): void {
    this.session = undefined;
  }

  isAttached(): boolean {
    return this.session !== undefined;
  }

  /** Sends a report and keeps it for `resend` until the broker acknowledges it (at-least-once). */
  report<K extends "evt" | "ack" | "state">(kind: K, body: Body<K>): void {
    this.lastN++;
    this.kept.set(this.lastN, this.seal(kind, body));
    const oldest = this.kept.keys().next();
    if (this.kept.size > KEPT_REPORTS && !oldest.done) this.kept.delete(oldest.value);
    this.send(this.lastN);
  }

  /** Sends a snapshot without retry: the next connection sends a fresh one. Returns its `n`. */
  snapshot<K extends "birth" | "state">(kind: K, body: Body<K>): number {
    this.lastN++;
    void this.session?.publish(this.seal(kind, body)).catch(() => {});
    return this.lastN;
  }

  /** Sends a heartbeat, which repeats the number of the last report. */
  beat(body: Body<"hb">): void {
    void this.session?.publish(this.seal("hb", body)).catch(() => {});
  }

  /** Resends reports that the last connection left unacknowledged. */
  resend(): void {
    for (const n of this.kept.keys()) this.send(n);
  }

  private send(n: number): void {
    const message = this.kept.get(n);
    if (!message || !this.session) return;
    this.session.publish(message).then(
      () => this.kept.delete(n),
      () => {},
    );
  }

  private seal<K extends ReportKind>(kind: K, body: Body<K>): SealedMessage {
    const { cabinetId, keys, bootNo } = this.of;
    const at = this.of.unixTime();
    const head = { bootNo, n: this.lastN, mono: Math.floor(this.of.mono()) };
    const message = { ...head, ...(at !== undefined && { at: Math.floor(at) }), ...body };
    return sealUp(keys, cabinetId, kind, message as Unversioned<UpMessages[K]>);
  }
}
