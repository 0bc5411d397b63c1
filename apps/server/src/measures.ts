// Metrics that a process reads from the database, by its services.
import { measureCabinets } from "./features/fleet/cabinet/index.ts";
import { measureSms } from "./features/messaging/sms/index.ts";
import { measureSubscribe } from "./features/messaging/template/index.ts";
import { measureWebhooks } from "./features/messaging/webhook/index.ts";
import { measureStandbys } from "./platform/db/standbys.ts";
import type { Measure } from "./platform/http/health.ts";
import { measureJobs } from "./platform/jobs/jobs.ts";
import { measureRetention } from "./platform/jobs/retention.ts";
import { measureWork } from "./platform/work/work.jobs.ts";

/** Queues are known to the processes that empty them and, for the whole system, to the API. */
const ofQueues: readonly Measure[] = [
  measureJobs,
  measureRetention,
  measureSms,
  measureSubscribe,
  measureWebhooks,
  measureWork,
];

export const measures: Record<"api" | "gateway" | "worker", readonly Measure[]> = {
  api: [...ofQueues, measureCabinets, measureStandbys],
  gateway: [measureCabinets],
  worker: ofQueues,
};
