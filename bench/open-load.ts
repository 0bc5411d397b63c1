// An open model of load: requests come when they come, whether earlier ones were answered or not.
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

export interface LoadRequest {
  method: "GET" | "POST";
  /** With its query. */
  path: string;
  body?: object;
}

export interface LoadRun {
  origin: string;
  headers: Record<string, string>;
  perSecond: number;
  seconds: number;
  /** Each as likely as the others: what is asked for more often stands there more often. */
  requests: LoadRequest[];
}

export interface LoadResult {
  /** From the moment a request should have left until its answer was there, in ms. */
  took: number[];
  /** Answered with anything but success: what, and how often. */
  failures: Record<string, number>;
}

/** The generator is a process of its own. */
export async function openLoad(run: LoadRun): Promise<LoadResult> {
  const child = fork(path.join(import.meta.dirname, "open-load-process.ts"));
  await once(child, "message");
  child.send(run);
  const [result] = (await once(child, "message")) as [LoadResult];
  child.disconnect();
  await once(child, "exit");
  return result;
}
