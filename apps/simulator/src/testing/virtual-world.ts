// Simulated time for tests: clock, connection, broker and disk, deterministic from one seed.
import type { SealedMessage } from "@cabinet/link";
import { applyRecord, emptyJournalState, type Journal, type JournalRecord } from "../journal.ts";
import {
  ConnectError,
  type ConnectRequest,
  type SessionEvents,
  type Transport,
} from "../transport.ts";
import { seededRandom, type World } from "../world.ts";

interface Timer {
  readonly at: number;
  readonly act: () => void;
}

/** Simulated time in milliseconds since the start, and its timers. */
export class Stage {
  now = 0;
  readonly random: () => number;
  private timers: Timer[] = [];

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.now + Math.max(ms, 0), act };
    const index = this.timers.findIndex((other) => other.at > timer.at);
    this.timers.splice(index < 0 ? this.timers.length : index, 0, timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** Runs timers in order until `end`, each with all its consequences before the next. */
  async playUntil(end: number): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.timers[0];
      if (!next || next.at > end) break;
      this.timers.shift();
      this.now = next.at;
      next.act();
    }
    this.now = end;
  }

  /** World of a cabinet whose clock drifts by the ratio `drift`. */
  world(drift: number): World {
    return {
      mono: () => 1_000 + this.now * (1 + drift),
      random: this.random,
      after: (ms, act) => this.after(ms, act),
    };
  }
}

/** Broker and connection of one cabinet with a few milliseconds of latency; can be cut. */
export class Line implements Transport {
  private readonly stage: Stage;
  private readonly toServer: (message: SealedMessage) => void;
  private end: ((isAbrupt: boolean) => void) | undefined;
  private events: SessionEvents | undefined;
  private nonces = 0;

  constructor(stage: Stage, toServer: (message: SealedMessage) => void) {
    this.stage = stage;
    this.toServer = toServer;
  }

  async connect(request: ConnectRequest, events: SessionEvents) {
    const nonce = `nonce${String(++this.nonces).padStart(20, "0")}`;
    await this.stage.sleep(5 + this.stage.random() * 40);
    if (this.stage.random() < 0.1) throw new ConnectError("UNREACHABLE", "no line");
    this.end?.(true);
    let isOpen = true;
    const end = (isAbrupt: boolean) => {
      if (!isOpen) return;
      isOpen = false;
      this.end = undefined;
      this.events = undefined;
      const will = request.will(nonce);
      if (isAbrupt) this.stage.after(this.stage.random() * 90_000, () => this.toServer(will));
      this.stage.after(0, () => events.onClose());
    };
    this.end = end;
    this.events = events;
    const session = {
      publish: async (message: SealedMessage) => {
        await this.stage.sleep(1 + this.stage.random() * 20);
        if (!isOpen) throw new Error("the line is gone");
        this.toServer(message);
      },
      close: async () => end(false),
      abort: () => end(true),
    };
    return { nonce, session };
  }

  /** Delivers a server message to the cabinet if it is connected on arrival. */
  deliver({ topic, payload }: SealedMessage): void {
    const { events } = this;
    this.stage.after(1 + this.stage.random() * 20, () => events?.onMessage(topic, payload));
  }

  cut(): void {
    this.end?.(true);
  }
}

/** Slow disk that fails at times and loses pending writes on a power cut. */
export class Disk implements Journal {
  private readonly stage: Stage;
  private readonly records: JournalRecord[] = [];
  private pending: { record: JournalRecord; done: () => void }[] = [];
  private readyAt = 0;
  isFull = false;
  slowChance = 0.03;

  constructor(stage: Stage) {
    this.stage = stage;
  }

  async load() {
    const state = emptyJournalState();
    for (const record of this.records) applyRecord(state, record);
    return state;
  }

  append(record: JournalRecord): Promise<void> {
    const isSlow = this.stage.random() < this.slowChance;
    const takes = this.stage.random() * (isSlow ? 20_000 : 20);
    this.readyAt = Math.max(this.readyAt, this.stage.now) + takes;
    return new Promise((resolve, reject) => {
      if (this.isFull && record.t === "command") return reject(new Error("no space left"));
      this.pending.push({ record, done: resolve });
      this.stage.after(this.readyAt - this.stage.now, () => this.finish(record));
    });
  }

  private finish(record: JournalRecord): void {
    const write = this.pending.find((each) => each.record === record);
    if (!write) return;
    this.pending = this.pending.filter((each) => each !== write);
    this.records.push(record);
    write.done();
  }

  /** Power cut: a random prefix of the pending writes has become durable. */
  cut(): void {
    const kept = Math.floor(this.stage.random() * (this.pending.length + 1));
    for (const { record } of this.pending.slice(0, kept)) this.records.push(record);
    this.pending = [];
    this.readyAt = this.stage.now;
  }
}
