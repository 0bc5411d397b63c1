// Closed-loop flood: each connection sends again as soon as it is answered.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const autocannon = fileURLToPath(import.meta.resolve("autocannon"));

export interface Flood {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: object | undefined;
  connections: number;
  seconds: number;
}

/** Floods from a process of its own; returns the answers a second, those with status 200 and all. */
export async function flood(run: Flood): Promise<{ successes: number; answers: number }> {
  const { url, method, headers, body, connections, seconds } = run;
  const { stdout } = await promisify(execFile)(process.execPath, [
    autocannon,
    ...["--json", "--no-progress", "--duration", String(seconds)],
    ...["--connections", String(connections), "--timeout", "30"],
    ...["--method", method],
    ...(body ? ["--body", JSON.stringify(body)] : []),
    ...Object.entries(headers).flatMap(([name, value]) => ["--headers", `${name}=${value}`]),
    url,
  ]);
  const result = JSON.parse(stdout);
  const answers = result["2xx"] + result.non2xx;
  return { successes: result["2xx"] / result.duration, answers: answers / result.duration };
}
