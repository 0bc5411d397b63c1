// Time of a person's press that opens a door or moves money, by the server's clock (0115).

/** Request header: Unix time of the press in milliseconds, by the server's clock as the client knows it. */
export const PRESS_HEADER = "x-pressed-at";
/** Header of every answer: the server's clock in Unix milliseconds. A proxy may replace `Date` by a clock of its own. */
export const SERVER_TIME_HEADER = "x-server-time";
/** A press counts for this long; so does the command that follows from it. */
export const PRESS_SECONDS = 15;
/** Clocks of several servers may differ by this much. A press that is further ahead comes from a wrong clock. */
export const PRESS_AHEAD_MS = 2_000;

/** Times of a request and its answer by the client's clock. */
export interface Exchange {
  sentAt: number;
  receivedAt: number;
}

/** Server's clock minus the client's, in milliseconds: somewhere between the two. */
interface Offset {
  least: number;
  most: number;
}

/** The server's clock as answers show it, whatever the clock of the client says. */
export class ServerClock {
  #offset: Offset | null = null;

  /** `header` returns the answer's headers. An answer that contradicts what is known follows a clock that was set. */
  learn({ sentAt, receivedAt }: Exchange, header: (name: string) => string | null): void {
    const exact = Number.parseInt(header(SERVER_TIME_HEADER) ?? "", 10);
    const second = Date.parse(header("date") ?? "");
    const [from, until] = Number.isNaN(exact) ? [second, second + 1_000] : [exact, exact];
    const least = from - receivedAt;
    const most = until - sentAt;
    // No clock in the answer, or the client's was set back in between.
    if (!(least <= most)) return;
    const known = this.#offset;
    this.#offset =
      !known || least > known.most || most < known.least
        ? { least, most }
        : { least: Math.max(least, known.least), most: Math.min(most, known.most) };
  }

  /**
   * Server's time at `now` of the client. Errs to the past: a press that seems older than it is costs another press, one
   * that seems newer a door that opens late.
   */
  at(now: number): number {
    return Math.floor(now + (this.#offset?.least ?? 0));
  }
}
