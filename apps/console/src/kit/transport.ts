// Sends requests, a few at a time, and repeats what the server was too busy for.

/** With several tabs open, still fewer than the server lets one account have waiting. */
const AT_ONCE = 8;
const REPEATS = 2;
/** A busy server asks for a second; a longer wait is a limit of its own, of which the user is told. */
const MOST_WAIT_SECONDS = 2;

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

/** An `urgent` request does not wait for others. Rejects as `fetch` does. */
export async function send(
  url: string,
  { urgent, ...init }: RequestInit & { signal: AbortSignal; urgent: boolean },
): Promise<{ response: Response; text: string }> {
  const ask = async () => {
    const response = await fetch(url, init);
    return { response, text: await response.text() };
  };
  for (let repeats = 0; ; repeats++) {
    const reply = await (urgent ? ask() : limit(ask));
    const { status, headers } = reply.response;
    const seconds = Number(headers.get("retry-after") ?? Number.NaN);
    if (status !== 429 || !(seconds <= MOST_WAIT_SECONDS) || repeats === REPEATS) return reply;
    // At random, so that the calls of one page do not return together.
    await sleep(seconds * 1_000 * (1 + Math.random()), init.signal);
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
