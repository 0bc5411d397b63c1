// Child process that sends requests at a fixed rate and measures each from its due time.
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { LoadRequest, LoadResult, LoadRun } from "./open-load.ts";

const MAX_SOCKETS = 256;
const RESPONSE_TIMEOUT_MS = 30_000;

async function runLoad(run: LoadRun): Promise<LoadResult> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const result: LoadResult = { took: [], failures: {}, cpuSeconds: 0 };
  const cpuBefore = process.cpuUsage();
  const pending: Promise<void>[] = [];
  const targets = run.origins.map((origin) => new URL(origin));
  const count = run.perSecond * run.seconds;
  const startedAt = performance.now() + 100;
  for (let index = 0; index < count; index++) {
    const dueAt = startedAt + (index * 1_000) / run.perSecond;
    // Overdue requests leave together; latency counts from the due time (no coordinated omission).
    const early = dueAt - performance.now();
    if (early > 0) await sleep(early);
    const request = run.requests[Math.floor(Math.random() * run.requests.length)] as LoadRequest;
    const target = targets[index % targets.length] as URL;
    pending.push(
      send(target, run, request, agent).then((failure) => {
        result.took.push(performance.now() - dueAt);
        if (failure) result.failures[failure] = (result.failures[failure] ?? 0) + 1;
      }),
    );
  }
  await Promise.all(pending);
  agent.destroy();
  const { user, system } = process.cpuUsage(cpuBefore);
  result.cpuSeconds = (user + system) / 1_000_000;
  return result;
}

/**
 * Null on success, otherwise the status and the start of the reply, or the error message. Only the start is decoded: the
 * generator shares the processors with what it measures.
 */
function send(
  { hostname, port }: URL,
  { headers }: LoadRun,
  request: LoadRequest,
  agent: http.Agent,
): Promise<string | null> {
  const body = request.body ? JSON.stringify(request.body) : null;
  return new Promise((resolve) => {
    const sent = http.request(
      {
        ...{ agent, hostname, port, path: request.path, method: request.method },
        timeout: RESPONSE_TIMEOUT_MS,
        headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      },
      (response) => {
        let start: Buffer | undefined;
        response.on("data", (part: Buffer) => {
          start ??= part;
        });
        response.on("end", () => {
          const text = start?.toString("utf8", 0, 500) ?? "";
          const isOk = response.statusCode === 200 && text.startsWith('{"code":0');
          resolve(
            isOk
              ? null
              : `${response.statusCode} ${text.replace(/"requestId":"[^"]*"/, "").slice(0, 160)}`,
          );
        });
      },
    );
    sent.on("timeout", () => sent.destroy(new Error("no answer")));
    sent.on("error", (error) => resolve(error.message));
    sent.end(body);
  });
}

process.on("message", async (run: LoadRun) => process.send?.(await runLoad(run)));
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
