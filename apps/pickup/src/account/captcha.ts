// The proof of work that a text message costs: solved in a worker when it is asked for.
import { call, NoAnswer } from "../kit/api.ts";

/** Header of one call. */
export async function solvedCaptcha(): Promise<Record<string, string>> {
  const challenge = await call("captcha");
  const worker = new Worker(new URL("./captcha.worker.ts", import.meta.url), { type: "module" });
  try {
    const payload = await new Promise<string | null>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<string | null>) => resolve(data);
      worker.onerror = () => reject(new NoAnswer("the worker did not load"));
      worker.postMessage(challenge);
    });
    if (payload === null) throw new NoAnswer("no solution");
    return { "captcha-verification": payload };
  } finally {
    worker.terminate();
  }
}
