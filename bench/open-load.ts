// Open-loop load generator: requests leave on schedule, whether earlier ones are answered or not.
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

export interface LoadRequest {
  method: "GET" | "POST";
  /** Path with query string. */
  path: string;
  body?: object;
}

export interface LoadRun {
  /** API processes, which get the requests in turn. */
  origins: readonly string[];
  headers: Record<string, string>;
  perSecond: number;
  seconds: number;
  /** Chosen uniformly at random: repeat a request to give it more weight. */
  requests: LoadRequest[];
}

export interface LoadResult {
  /** Milliseconds from the due time of each request until its reply was complete. */
  took: number[];
  /** Failed requests: error text → count. */
  failures: Record<string, number>;
  /** Processor time of the load generator itself. */
  cpuSeconds: number;
}

/** Runs the load in a child process, so that it does not compete with the caller's event loop. */
export async function openLoad(run: LoadRun): Promise<LoadResult> {
  const child = fork(path.join(import.meta.dirname, "open-load-process.ts"));
  await once(child, "message");
  child.send(run);
  const [result] = (await once(child, "message")) as [LoadResult];
  child.disconnect();
  await once(child, "exit");
  return result;
}
