// Background captcha: fetched, solved in a web worker, renewed before it expires.
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { call } from "../../../kit/api.ts";
import type { CaptchaAnswer } from "./captcha.worker.ts";

export type CaptchaState = "solving" | "passed" | "failed";

const LIFETIME_MS = 120_000;
/** Safety margin, so that a payload is still valid when the sign-in request arrives. */
const MARGIN_MS = 15_000;

interface Solved {
  payload: string;
  validUntil: number;
}

async function obtain(username: string | undefined, signal: AbortSignal): Promise<Solved> {
  const askedAt = Date.now();
  const query = username === undefined ? {} : { username };
  const challenge = await call(authContract.captcha, { query }, { signal });
  const worker = new Worker(new URL("./captcha.worker.ts", import.meta.url), { type: "module" });
  try {
    const payload = await new Promise<CaptchaAnswer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<CaptchaAnswer>) => resolve(data);
      worker.onerror = () => reject(new Error("人机验证程序未能加载，请刷新页面"));
      signal.addEventListener("abort", () => reject(signal.reason));
      worker.postMessage(challenge);
    });
    if (payload === null) throw new Error("人机验证未完成，请重试");
    return { payload, validUntil: askedAt + LIFETIME_MS - MARGIN_MS };
  } finally {
    worker.terminate();
  }
}

export interface Captcha {
  /** Payload for one sign-in attempt; waits while it is being solved. */
  take: () => Promise<string>;
  /** Solves the next one, because a payload is single-use; with an account, one as hard as it demands. */
  renew: (username?: string) => void;
  stop: () => void;
}

/** Starts solving at once and reports state changes to `onState`. */
export function startCaptcha(onState: (state: CaptchaState) => void): Captcha {
  const whole = new AbortController();
  let renewal: ReturnType<typeof setTimeout> | undefined;
  let current = begin();

  function begin(username?: string): Promise<Solved> {
    clearTimeout(renewal);
    onState("solving");
    const attempt = obtain(username, whole.signal);
    attempt.then(
      ({ validUntil }) => {
        if (whole.signal.aborted || attempt !== current) return;
        onState("passed");
        renewal = setTimeout(() => renew(username), validUntil - Date.now());
      },
      () => whole.signal.aborted || attempt !== current || onState("failed"),
    );
    return attempt;
  }

  function renew(username?: string): void {
    current = begin(username);
  }

  return {
    renew,
    take: async () => {
      const solved = await current.catch(() => null);
      // The timer does not run while a computer sleeps: the payload may have expired.
      if (!solved || solved.validUntil < Date.now()) renew();
      return (await current).payload;
    },
    stop: () => {
      clearTimeout(renewal);
      whole.abort();
    },
  };
}
