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

export const clientErrors = new Counter({
  name: "console_errors_total",
  help: "Errors of its own program that the console reported: caught by a boundary, or by nothing",
  labelNames: ["kind"],
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

/** A gauge that is absent until it is set: a process that does not measure it must not report 0. */
function measured(name: string, help: string): Gauge {
  const gauge = new Gauge({ name, help, registers: [registry] });
  gauge.remove();
  return gauge;
}

export const OTHER_TENANTS = "other";
/** Tenants up to this number have series of their own, the later ones share one (METRICS_TENANTS). */
export const tenantLabels = { most: 1_000 };

/** Label of a tenant: bounded, and the same in every process, so that sums over processes are right. */
function tenantLabel(tenantId: number): string {
  return tenantId <= tenantLabels.most ? String(tenantId) : OTHER_TENANTS;
}

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

export const connectionsLost = new Counter({
  name: "database_connections_lost_total",
  help: "Connections to the database that ended or went silent",
  registers: [registry],
});

export const replicaAge = measured(
  "replica_age_seconds",
  "Seconds since the time up to which the read replica certainly has everything",
);

export const replicaReads = new Counter({
  name: "replica_reads_total",
  help: "Lists, statistics and exports that the read replica answered",
  registers: [registry],
});

export const clockOffset = new Gauge({
  name: "clock_offset_seconds",
  help: "By how much the clock of this process is ahead of the database's",
  registers: [registry],
});

/** Standbys that stream from the database. */
export const standbys = {
  synchronous: measured(
    "synchronous_standbys",
    "Standbys for one of which a commit waits: a failover to them loses nothing acknowledged",
  ),
  asynchronous: measured(
    "asynchronous_standbys",
    "Standbys for which no commit waits: a failover to them loses the last transactions",
  ),
  unseen: measured(
    "unseen_standbys",
    "Standbys whose state the account may not see, because it lacks the role pg_monitor",
  ),
};

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

const opens = new Counter({
  name: "opens_total",
  help: "Door commands by tenant and the state in which they ended",
  labelNames: ["tenant", "state"],
  registers: [registry],
});

export function countOpen(tenantId: number, state: string): void {
  opens.inc({ tenant: tenantLabel(tenantId), state });
}

/** Read from the database, so every process that measures it reports the same. */
export const cabinets = new Gauge({
  name: "cabinets",
  help: "Cabinets in service by tenant and connectivity",
  labelNames: ["tenant", "state"],
  registers: [registry],
});

export const tenantOutage = new Gauge({
  name: "tenant_outage",
  help: "Share of cabinets that are online, of tenants with five cabinets or more and less than 80 % online: of the 100 with the most cabinets offline",
  labelNames: ["tenant"],
  registers: [registry],
});

/** The machine that holds DATA_DIR. */
export const host = {
  diskFree: measured("disk_free_bytes", "Free space where DATA_DIR is"),
  diskSize: measured("disk_size_bytes", "Size of the disk where DATA_DIR is"),
  backupAt: measured(
    "backup_timestamp_seconds",
    "Time of the last complete backup; 0 if there was none",
  ),
};

export const uploadScans = new Counter({
  name: "upload_scans_total",
  help: "Uploads scanned for viruses by outcome: CLEAN, INFECTED, UNAVAILABLE",
  labelNames: ["outcome"],
  registers: [registry],
});
// Initialised to 0: alerts need the first event, too.
for (const outcome of ["INFECTED", "UNAVAILABLE"]) uploadScans.inc({ outcome }, 0);

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
  waiting: measured("callback_waiting", "Callbacks that wait to be delivered"),
  oldestSeconds: measured(
    "callback_oldest_seconds",
    "For how long the oldest due callback has been waiting",
  ),
  dead: measured("callback_dead", "Callbacks that nobody got after all attempts"),
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
  smsWaiting: measured("sms_waiting", "Text messages that are due and not given to the carrier"),
  smsOldestSeconds: measured(
    "sms_oldest_seconds",
    "For how long the oldest due text message has been waiting",
  ),
  smsUncertain: measured(
    "sms_uncertain",
    "Text messages of which nobody knows whether the carrier took them",
  ),
  smsChannelFailing: measured(
    "sms_channel_failing",
    "1 while the carrier in use refuses us: no text message gets through",
  ),
  smsTenantsLow: measured(
    "sms_tenants_low",
    "Tenants in service with so little credit left that codes may soon fail",
  ),
  subscribeWaiting: measured(
    "subscribe_waiting",
    "Subscribe messages that are due and not given to WeChat",
  ),
  subscribeOldestSeconds: measured(
    "subscribe_oldest_seconds",
    "For how long the oldest due subscribe message has been waiting",
  ),
};

/** Read from the database, so every process with the API reports the same. */
export const jobQueue = {
  waiting: measured("job_waiting", "Jobs that are due and not begun"),
  oldestSeconds: measured("job_oldest_seconds", "For how long the oldest due job has been waiting"),
  failed: measured("job_failed", "Jobs that were given up after all attempts"),
  scheduleSeconds: measured(
    "job_schedule_seconds",
    "Since the last minute for which a scheduled job was added; negative while that lies in the future",
  ),
};

/** Queues of platform/work; `work` is the name of its job. */
export const workRows = new Counter({
  name: "work_rows_total",
  help: "Due rows by work and result: DONE, FAILED (retried later) or UNSETTLED (left to the queue's own rule)",
  labelNames: ["work", "result"],
  registers: [registry],
});

export const workDelay = new Histogram({
  name: "work_delay_seconds",
  help: "From the time at which a row was due to its attempt, by work",
  labelNames: ["work"],
  buckets: [0.1, 0.5, 1, 5, 15, 60, 120, 300, 600, 3_600],
  registers: [registry],
});

export const workFailing = new Gauge({
  name: "work_failing",
  help: "Due rows that have failed more than once, by work",
  labelNames: ["work"],
  registers: [registry],
});

export const retentionLag = new Gauge({
  name: "retention_lag_seconds",
  help: "For how long rows that are due for removal may have been waiting: events, commands, audit",
  labelNames: ["kind"],
  registers: [registry],
});

const tenantRequests = new Counter({
  name: "tenant_requests_total",
  help: "Signed-in requests by tenant and outcome: OK, REFUSED or FAILED",
  labelNames: ["tenant", "outcome"],
  registers: [registry],
});

export function observeRequests(app: FastifyInstance): void {
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    requestSeconds.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    const caller = request.session ?? request.endUser ?? request.partnerCall?.partner;
    if (!caller) return;
    const isFailed = reply.statusCode >= 500;
    const outcome = isFailed ? "FAILED" : request.refusalCode === null ? "OK" : "REFUSED";
    tenantRequests.inc({ tenant: tenantLabel(caller.tenantId), outcome });
  });
}
