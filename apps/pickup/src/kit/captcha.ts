// The proof of work that a text message costs, and a pickup after many wrong codes: solved in a worker when it is due.
import type { ReplyOf } from "./calls.ts";

/** Header of one call. */
export async function solve(challenge: ReplyOf<"captcha">): Promise<Record<string, string>> {
  const worker = new Worker(new URL("./captcha.worker.ts", import.meta.url), { type: "module" });
  try {
    const payload = await new Promise<string | null>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<string | null>) => resolve(data);
      worker.onerror = () => reject(new Error("the worker did not load"));
      worker.postMessage(challenge);
    });
    if (payload === null) throw new Error("no solution");
    return { "captcha-verification": payload };
  } finally {
    worker.terminate();
  }
}
