// Child process that repeats prepared requests over its connections until time is up, each as soon as it is answered.
import http from "node:http";

export interface PreparedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

export interface CallFlood {
  origin: string;
  connections: number;
  seconds: number;
  requests: PreparedRequest[];
}

const LONGEST_MS = 20_000;

function send({ hostname, port }: URL, request: PreparedRequest, agent: http.Agent) {
  const { method, path, headers, body } = request;
  return new Promise<number>((resolve) => {
    const timeout = LONGEST_MS;
    const sent = http.request(
      { agent, hostname, port, method, path, headers, timeout },
      (answer) => {
        answer.on("end", () => resolve(answer.statusCode ?? 0));
        answer.on("error", () => resolve(0));
        answer.resume();
      },
    );
    sent.on("timeout", () => sent.destroy(new Error("no answer")));
    sent.on("error", () => resolve(0));
    sent.end(body ?? undefined);
  });
}

/** Returns the number of answers by status; 0: none came. */
async function run({ origin, connections, seconds, requests }: CallFlood) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + seconds * 1_000;
  const statuses: Record<number, number> = {};
  const target = new URL(origin);
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        const request = requests[next++ % requests.length] as PreparedRequest;
        const status = await send(target, request, agent);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }),
  );
  agent.destroy();
  return statuses;
}

process.on("message", async (flood: CallFlood) => process.send?.(await run(flood)));
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
