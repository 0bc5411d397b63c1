// Sends requests, a few at a time, and repeats what the server was too busy for.
import type { Exchange } from "@cabinet/contract/kit/press.rules.ts";

/** With several tabs open, still fewer than the server lets one account have waiting. */
const AT_ONCE = 8;
const REPEATS = 2;
/** A busy server asks for a second; a longer wait is a limit of its own, of which the user is told. */
const MOST_WAIT_SECONDS = 2;
/** A write is sent within this time after the press or not at all, also if the laptop sleeps in between. */
const MOST_WRITE_MS = 5_000;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs `ask` at once if it may: what a click requests is under way before React draws. */
async function limit<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
  if (running < AT_ONCE) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await ask();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

export interface Sent {
  response: Response;
  text: string;
  /** When the headers were there. */
  times: Exchange;
}

interface Sending extends RequestInit {
  signal: AbortSignal;
  /** A write does not wait for other requests, and is not repeated when it has become old. */
  isWrite: boolean;
  /** Does not wait for other requests either. */
  urgent?: boolean;
}

/** Rejects as `fetch` does. */
export async function send(
  url: string,
  { isWrite, urgent = isWrite, ...init }: Sending,
): Promise<Sent> {
  const startedAt = Date.now();
  const isOld = (waitMs: number) => isWrite && Date.now() + waitMs - startedAt > MOST_WRITE_MS;
  const ask = async () => {
    const sentAt = Date.now();
    const response = await fetch(url, init);
    const times = { sentAt, receivedAt: Date.now() };
    return { response, text: await response.text(), times };
  };
  for (let repeats = 0; ; repeats++) {
    const reply = await (urgent ? ask() : limit(ask));
    const { status, headers } = reply.response;
    const seconds = Number(headers.get("retry-after") ?? Number.NaN);
    if (status !== 429 || !(seconds <= MOST_WAIT_SECONDS) || repeats === REPEATS) return reply;
    // At random, so that the calls of one page do not return together.
    const waitMs = seconds * 1_000 * (1 + Math.random());
    if (isOld(waitMs)) return reply;
    await sleep(waitMs, init.signal);
    if (isOld(0)) return reply;
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
