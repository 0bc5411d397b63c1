// Birth and hello: repeats the birth until the server's hello gives session and clock.
import {
  BACKOFF_CAP_MS,
  CLOCK_DOUBT_EVERY_MS,
  CLOCK_MAX_AGE_MS,
  type Hello,
  type SyncedClock,
  serverTimeAt,
  syncClock,
} from "@cabinet/link";
import type { World } from "./world.ts";

/** First timeout for a hello before the birth is repeated; doubles with each repetition. */
const HELLO_WITHIN_MS = 10_000;
/** A clock with a greater uncertainty is synchronized again soon. */
const GOOD_CLOCK_MS = 3_000;
const SYNC_AGAIN_MS = 30_000;

export interface GreetingParts {
  readonly world: World;
  /** Monotonic milliseconds since this boot. */
  mono(): number;
  /** Sends the birth for the connection of this nonce; returns its report number `n`. */
  sendBirth(nonce: string): number;
}

export class Greeting {
  /** Epoch of the session; undefined between a birth and its hello. */
  epoch: number | undefined;
  private readonly parts: GreetingParts;
  private clock: SyncedClock | undefined;
  private birth: { nonce: string; n: number; sentMono: number } | undefined;
  private birthsWithoutHello = 0;
  private nextBirthAt = 0;
  private doubtedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: GreetingParts) {
    this.parts = parts;
  }

  connected(nonce: string): void {
    this.birthsWithoutHello = 0;
    this.begin(nonce);
  }

  disconnected(): void {
    this.epoch = undefined;
    this.birth = undefined;
  }

  tick(now: number): void {
    if (this.birth && now >= this.nextBirthAt) this.begin(this.birth.nonce);
  }

  /** Applies a hello; false if it does not answer the latest birth. */
  take(hello: Hello): boolean {
    if (!this.birth || hello.echo.nonce !== this.birth.nonce) return false;
    if (hello.echo.n !== this.birth.n || hello.epoch <= (this.epoch ?? 0)) return false;
    const { world, mono } = this.parts;
    this.epoch = hello.epoch;
    this.clock = syncClock(hello.serverTime, this.birth.sentMono, mono());
    this.birthsWithoutHello = 0;
    const isGood = this.clock.uncertaintyMs <= GOOD_CLOCK_MS;
    const wait = isGood ? CLOCK_MAX_AGE_MS : SYNC_AGAIN_MS;
    this.nextBirthAt = mono() + wait * (1 - 0.2 * world.random());
    return true;
  }

  /** Schedules a birth to resynchronize, after signs that the server's clock has changed. */
  doubtClock(): void {
    if (!this.birth || this.epoch === undefined) return;
    const soonest = Math.max(this.parts.mono(), this.doubtedAt + CLOCK_DOUBT_EVERY_MS);
    if (soonest >= this.nextBirthAt) return;
    this.nextBirthAt = soonest;
    this.doubtedAt = soonest;
  }

  /** Handles a birth request; false if `nonce` is not the current connection's. */
  birthAgain(nonce: string | undefined): boolean {
    if (!this.birth || this.birth.nonce !== nonce) return false;
    const isPending = this.epoch === undefined;
    const isFresh = this.parts.mono() - this.birth.sentMono < HELLO_WITHIN_MS;
    if (!isPending || !isFresh) this.begin(this.birth.nonce);
    return true;
  }

  /** Server time in Unix milliseconds; undefined before the first hello of this boot. */
  serverNow(): number | undefined {
    return this.clock && serverTimeAt(this.clock, this.parts.mono());
  }

  /** Sends a birth, which ends the session: commands not in its journal will never execute. */
  private begin(nonce: string): void {
    const { world, mono, sendBirth } = this.parts;
    const sentMono = mono();
    this.epoch = undefined;
    this.birth = { nonce, n: sendBirth(nonce), sentMono };
    const wait = Math.min(HELLO_WITHIN_MS * 2 ** this.birthsWithoutHello++, BACKOFF_CAP_MS);
    this.nextBirthAt = sentMono + wait * (0.8 + 0.4 * world.random());
  }
}
