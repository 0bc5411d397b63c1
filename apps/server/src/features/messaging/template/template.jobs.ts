// Jobs of message templates: send due messages, recover stuck ones.
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import type { MiniPrograms } from "../mini-program/index.ts";
import { fetchCatalog } from "./catalog.service.ts";
import { sendDue, sweep } from "./subscribe-send.service.ts";
import { FETCH_CATALOG, SEND } from "./template.queue.ts";

export function templateJobs(miniPrograms: MiniPrograms): JobSet {
  const of = (payload: unknown) => (payload as { tenantId: number }).tenantId;
  return {
    tasks: {
      [SEND]: (payload, tools) => sendDue({ ...tools, miniPrograms }, of(payload)),
      [FETCH_CATALOG]: (payload, { database }) => fetchCatalog(database, miniPrograms, of(payload)),
      "template.sweep": (_payload, tools) => sweep({ ...tools, miniPrograms }),
    },
    cron: [{ task: "template.sweep", pattern: "* * * * *" }],
  };
}
