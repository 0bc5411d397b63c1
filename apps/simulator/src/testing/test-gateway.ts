// Minimal server side of the link for tests: hello, commands and received reports.
import {
  type Ack,
  type CompartmentReport,
  compareReports,
  compartmentsOf,
  deriveKeys,
  type EventReport,
  openUp,
  type ReportOrder,
  type SealedMessage,
  type Side,
  type SimulatedCabinet,
  type StateReport,
  sealDown,
  type UpMessages,
} from "@cabinet/link";

/** An issued command; `bytes` are identical on each resend. */
export interface Issued {
  readonly cabinetId: string;
  readonly cmdId: string;
  readonly seq: number;
  readonly epoch: number;
  readonly no: number;
  readonly exp: number;
  readonly message: SealedMessage;
}

interface Known {
  readonly keys: ReturnType<typeof deriveKeys>;
  epoch: number;
  hasSession: boolean;
  lastSeq: number;
  answered: ReportOrder | undefined;
  nonce: string | undefined;
}

export class TestGateway {
  readonly acks = new Map<string, Ack[]>();
  readonly events: EventReport[] = [];
  readonly states: StateReport[] = [];
  readonly births: UpMessages["birth"][] = [];
  readonly wills: string[] = [];
  readonly heartbeats: UpMessages["hb"][] = [];
  readonly refused: string[] = [];
  /** Commands that a birth proved not executed: they must never open a door. */
  readonly neverTaken = new Set<string>();
  /** Server-side state of compartments: the newest report wins, in any arrival order. */
  readonly shadow = new Map<string, CompartmentReport & ReportOrder>();
  private readonly cabinets = new Map<string, Known>();
  private readonly now: () => number;
  private readonly publish: (message: SealedMessage) => void;
  private readonly issued: Issued[] = [];
  private commands = 0;

  constructor(
    cabinets: readonly SimulatedCabinet[],
    now: () => number,
    publish: (message: SealedMessage) => void,
  ) {
    this.now = now;
    this.publish = publish;
    for (const { cabinetId, secret } of cabinets) {
      const fresh = { epoch: 0, hasSession: false, lastSeq: 0 };
      const keys = deriveKeys(secret);
      this.cabinets.set(cabinetId, { ...fresh, keys, answered: undefined, nonce: undefined });
    }
  }

  known(cabinetId: string): Known {
    const known = this.cabinets.get(cabinetId);
    if (!known) throw new Error(`unknown cabinet ${cabinetId}`);
    return known;
  }

  hasSession(cabinetId: string): boolean {
    return this.known(cabinetId).hasSession;
  }

  receive(topic: string, bytes: Uint8Array): void {
    const cabinetId = topic.split("/")[1] ?? "";
    const opened = openUp(this.known(cabinetId).keys, topic, bytes);
    if (!opened.ok) {
      this.refused.push(`${topic} ${opened.error} ${opened.detail ?? ""}`);
      return;
    }
    if (opened.kind === "hb") this.heartbeats.push(opened.message);
    else if (opened.kind === "will") this.hearWill(cabinetId, opened.message.nonce);
    else if (opened.kind === "ack") this.hearAck(opened.message);
    else {
      if (opened.kind === "evt") this.events.push(opened.message);
      if (opened.kind === "state") this.states.push(opened.message);
      if (opened.kind === "birth") this.greet(cabinetId, opened.message);
      this.apply(cabinetId, opened.message);
    }
  }

  private hearWill(cabinetId: string, nonce: string): void {
    this.wills.push(nonce);
    const known = this.known(cabinetId);
    if (known.nonce === nonce) known.hasSession = false;
  }

  private hearAck(ack: Ack): void {
    this.acks.set(ack.cmdId, [...(this.acks.get(ack.cmdId) ?? []), ack]);
  }

  private greet(cabinetId: string, birth: UpMessages["birth"]): void {
    this.births.push(birth);
    const known = this.known(cabinetId);
    known.lastSeq = Math.max(known.lastSeq, birth.lastSeq);
    if (birth.part !== birth.parts) return;
    if (known.answered && compareReports(birth, known.answered) <= 0) return;
    for (const command of this.issued) {
      if (command.cabinetId === cabinetId && command.seq > birth.lastSeq) {
        this.neverTaken.add(command.cmdId);
      }
    }
    known.answered = birth;
    known.nonce = birth.nonce;
    known.epoch++;
    known.hasSession = true;
    this.publish(
      sealDown(known.keys, cabinetId, "hello", {
        epoch: known.epoch,
        echo: { nonce: birth.nonce, n: birth.n },
        serverTime: this.now(),
        configVersion: 0,
      }),
    );
  }

  private apply(cabinetId: string, message: UpMessages["birth"] | StateReport | EventReport): void {
    for (const row of compartmentsOf(message)) {
      const key = `${cabinetId} ${row.no}`;
      const stored = this.shadow.get(key);
      if (stored && compareReports(message, stored) <= 0) continue;
      this.shadow.set(key, { ...row, bootNo: message.bootNo, n: message.n });
    }
  }

  /** Issues an open command with a new seq, and sends it unless `send` is false. */
  open(
    cabinetId: string,
    no: number,
    {
      side = "FRONT" as Side,
      ttlMs = 15_000,
      epochShift = 0,
      keysOf = cabinetId,
      send = true,
    } = {},
  ): Issued {
    const known = this.known(cabinetId);
    const seq = ++known.lastSeq;
    const iat = this.now();
    const command = {
      cmdId: `cmd-${String(++this.commands).padStart(6, "0")}`,
      seq,
      epoch: Math.max(known.epoch + epochShift, 1),
      iat,
      exp: iat + ttlMs,
      type: "OPEN" as const,
      no,
      side,
    };
    const message = sealDown(this.known(keysOf).keys, cabinetId, "cmd", command);
    const { cmdId, epoch, exp } = command;
    const issued = { cabinetId, cmdId, seq, epoch, no, exp, message };
    this.issued.push(issued);
    if (send) this.publish(message);
    return issued;
  }

  /** Requests a snapshot of all compartments, as the server does after a missed report. */
  resync(cabinetId: string): void {
    const { keys, epoch } = this.known(cabinetId);
    const cmdId = `resync-${String(++this.commands).padStart(6, "0")}`;
    this.publish(sealDown(keys, cabinetId, "cmd", { cmdId, epoch, type: "RESYNC" }));
  }

  /** Requests a birth on this nonce's connection, as the server does after ending a session. */
  askForBirth(cabinetId: string, nonce = this.known(cabinetId).nonce): void {
    const { keys } = this.known(cabinetId);
    const cmdId = `birth-${String(++this.commands).padStart(6, "0")}`;
    this.publish(
      sealDown(keys, cabinetId, "cmd", { cmdId, type: "BIRTH", ...(nonce && { nonce }) }),
    );
  }

  send(issued: Issued): void {
    this.publish(issued.message);
  }

  stagesOf(issued: Issued): string[] {
    return (this.acks.get(issued.cmdId) ?? []).map(({ stage, reason }) =>
      reason ? `${stage} ${reason}` : stage,
    );
  }
}
