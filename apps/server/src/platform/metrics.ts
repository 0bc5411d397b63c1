// Prometheus metrics: the process, HTTP calls by route, and the features' own.
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { commit, version } from "./version.ts";

export const registry = new Registry();
collectDefaultMetrics({ register: registry });

const requestSeconds = new Histogram({
  name: "http_request_seconds",
  help: "Duration of HTTP calls by route, method and status",
  labelNames: ["method", "route", "status"],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});

/** Business refusals too, which the console's calls answer with status 200. */
export const refusals = new Counter({
  name: "refusals_total",
  help: "Refused and failed requests by error code",
  labelNames: ["code"],
  registers: [registry],
});

new Gauge({
  name: "build_info",
  help: "Always 1; the version of the server, its commit and the version of Node as labels",
  labelNames: ["version", "commit", "node"],
  registers: [registry],
}).set({ version, commit, node: process.version }, 1);

export const databaseInfo = new Gauge({
  name: "database_info",
  help: "Always 1; the version of PostgreSQL at the start as label",
  labelNames: ["version"],
  registers: [registry],
});

export const healthChecks = new Gauge({
  name: "health_check",
  help: "1 while the part works, 0 otherwise: database, write, disk, broker",
  labelNames: ["check"],
  registers: [registry],
});

/** Numbers of a pool of connections. */
interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

const pools = new Set<Pool>();
const sumOf = (count: (pool: Pool) => number) =>
  [...pools].reduce((sum, pool) => sum + count(pool), 0);

new Gauge({
  name: "database_connections",
  help: "Connections to the database by state: busy or idle",
  labelNames: ["state"],
  registers: [registry],
  collect() {
    this.set(
      { state: "busy" },
      sumOf((pool) => pool.totalCount - pool.idleCount),
    );
    this.set(
      { state: "idle" },
      sumOf((pool) => pool.idleCount),
    );
  },
});

new Gauge({
  name: "database_waiting",
  help: "Requests that wait for a connection to the database",
  registers: [registry],
  collect() {
    this.set(sumOf((pool) => pool.waitingCount));
  },
});

/** Counts the pool's connections until the returned function is called. */
export function observePool(pool: Pool): () => void {
  pools.add(pool);
  return () => pools.delete(pool);
}

export const liveConnections = new Gauge({
  name: "live_connections",
  help: "Open push channels of consoles",
  registers: [registry],
});

export const deviceMessages = new Counter({
  name: "device_messages_total",
  help: "Messages received from cabinets by kind and outcome",
  labelNames: ["kind", "outcome"],
  registers: [registry],
});

export const commandSeconds = new Histogram({
  name: "command_seconds",
  help: "From a command's creation to each of its stages",
  labelNames: ["kind", "state"],
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  registers: [registry],
});

export const webhookAttempts = new Counter({
  name: "callback_attempts_total",
  help: "Callbacks sent to third parties by outcome",
  labelNames: ["outcome"],
  registers: [registry],
});

export const webhookSeconds = new Histogram({
  name: "callback_seconds",
  help: "Duration of one attempt to deliver a callback",
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});

export const webhookQueue = {
  waiting: new Gauge({
    name: "callback_waiting",
    help: "Callbacks that wait to be delivered",
    registers: [registry],
  }),
  oldestSeconds: new Gauge({
    name: "callback_oldest_seconds",
    help: "For how long the oldest due callback has been waiting",
    registers: [registry],
  }),
  dead: new Gauge({
    name: "callback_dead",
    help: "Callbacks that nobody got after all attempts",
    registers: [registry],
  }),
};

export const smsAttempts = new Counter({
  name: "sms_attempts_total",
  help: "Text messages given to the carrier by what it said: TAKEN, REFUSED, UNKNOWN",
  labelNames: ["carrier", "outcome"],
  registers: [registry],
});

export const smsFailures = new Counter({
  name: "sms_failed_total",
  help: "Text messages that ended without arriving by reason: a code of ours, REFUSED, UNDELIVERED",
  labelNames: ["reason"],
  registers: [registry],
});
// Initialised to 0: Prometheus sees no increase in a series that begins with its first event, and these are alerted on.
for (const reason of ["NO_CREDIT", "CREDIT_RESERVED"]) smsFailures.inc({ reason }, 0);

export const subscribeAttempts = new Counter({
  name: "subscribe_attempts_total",
  help: "Subscribe messages given to WeChat by outcome: SENT, UNKNOWN, or whose trouble it was",
  labelNames: ["outcome"],
  registers: [registry],
});

/** Read from the database, so every process with the API reports the same. */
export const messageQueue = {
  smsWaiting: new Gauge({
    name: "sms_waiting",
    help: "Text messages that are due and not given to the carrier",
    registers: [registry],
  }),
  smsOldestSeconds: new Gauge({
    name: "sms_oldest_seconds",
    help: "For how long the oldest due text message has been waiting",
    registers: [registry],
  }),
  smsUncertain: new Gauge({
    name: "sms_uncertain",
    help: "Text messages of which nobody knows whether the carrier took them",
    registers: [registry],
  }),
  smsChannelFailing: new Gauge({
    name: "sms_channel_failing",
    help: "1 while the carrier in use refuses us: no text message gets through",
    registers: [registry],
  }),
  smsTenantsLow: new Gauge({
    name: "sms_tenants_low",
    help: "Tenants in service with so little credit left that codes may soon fail",
    registers: [registry],
  }),
  subscribeWaiting: new Gauge({
    name: "subscribe_waiting",
    help: "Subscribe messages that are due and not given to WeChat",
    registers: [registry],
  }),
  subscribeOldestSeconds: new Gauge({
    name: "subscribe_oldest_seconds",
    help: "For how long the oldest due subscribe message has been waiting",
    registers: [registry],
  }),
};

/** Read from the database, so every process with the API reports the same. */
export const jobQueue = {
  waiting: new Gauge({
    name: "job_waiting",
    help: "Jobs that are due and not begun",
    registers: [registry],
  }),
  oldestSeconds: new Gauge({
    name: "job_oldest_seconds",
    help: "For how long the oldest due job has been waiting",
    registers: [registry],
  }),
  failed: new Gauge({
    name: "job_failed",
    help: "Jobs that were given up after all attempts",
    registers: [registry],
  }),
};

export function observeRequests(app: FastifyInstance): void {
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    requestSeconds.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
}
