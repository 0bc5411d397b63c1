// Birth and hello: a birth is repeated until the server greets it, which gives session and clock.
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

/** Without a hello the birth is repeated after this time, then after twice as long, … */
const HELLO_WITHIN_MS = 10_000;
/** A clock less certain than this is synced again soon. */
const GOOD_CLOCK_MS = 3_000;
const SYNC_AGAIN_MS = 30_000;

export interface GreetingParts {
  readonly world: World;
  /** Milliseconds since this start. */
  mono(): number;
  /** Sends the birth of the connection made with this nonce; returns the report's number. */
  sendBirth(nonce: string): number;
}

export class Greeting {
  /** Of the session; undefined from a birth to its hello. */
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

  /** Whether it was the hello to the latest birth. */
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

  /** The server's clock seems to be another one by now. */
  doubtClock(): void {
    if (!this.birth || this.epoch === undefined) return;
    const soonest = Math.max(this.parts.mono(), this.doubtedAt + CLOCK_DOUBT_EVERY_MS);
    if (soonest >= this.nextBirthAt) return;
    this.nextBirthAt = soonest;
    this.doubtedAt = soonest;
  }

  /** The server asks for a birth on the connection of this nonce; false if that is not the present one. */
  birthAgain(nonce: string | undefined): boolean {
    if (!this.birth || this.birth.nonce !== nonce) return false;
    const isPending = this.epoch === undefined;
    const isFresh = this.parts.mono() - this.birth.sentMono < HELLO_WITHIN_MS;
    if (!isPending || !isFresh) this.begin(this.birth.nonce);
    return true;
  }

  /** Unix milliseconds; undefined before the first hello of this start. */
  serverNow(): number | undefined {
    return this.clock && serverTimeAt(this.clock, this.parts.mono());
  }

  /** A birth ends the session: what its journal does not list will not happen any more. */
  private begin(nonce: string): void {
    const { world, mono, sendBirth } = this.parts;
    const sentMono = mono();
    this.epoch = undefined;
    this.birth = { nonce, n: sendBirth(nonce), sentMono };
    const wait = Math.min(HELLO_WITHIN_MS * 2 ** this.birthsWithoutHello++, BACKOFF_CAP_MS);
    this.nextBirthAt = sentMono + wait * (0.8 + 0.4 * world.random());
  }
}
