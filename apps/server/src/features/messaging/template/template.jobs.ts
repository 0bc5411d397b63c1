// Jobs of message templates: send due messages, recover stuck ones, erase those no longer kept.
import { inBatches, type JobSet, type JobTools } from "../../../platform/jobs/jobs.ts";
import type { MiniPrograms } from "../mini-program/index.ts";
import { fetchCatalog } from "./catalog.service.ts";
import { forgetOld, forgetOldMessages } from "./subscribe-message.sql.ts";
import { lostWork, subscribeWork } from "./subscribe-send.service.ts";
import { FETCH_CATALOG, SEND } from "./template.queue.ts";

const FORGET = "template.forgetOld";
const AT_ONCE = 1_000;

export function templateJobs(miniPrograms: MiniPrograms): JobSet {
  const works = [subscribeWork("codes", miniPrograms), subscribeWork("notices", miniPrograms)];
  const send = async (tools: JobTools) => {
    await Promise.all(works.map((work) => work.drain(tools)));
  };
  const of = (payload: unknown) => (payload as { tenantId: number }).tenantId;
  return {
    tasks: {
      [SEND]: (_payload, tools) => send(tools),
      [FETCH_CATALOG]: (payload, { database }) => fetchCatalog(database, miniPrograms, of(payload)),
      [FORGET]: (_payload, { database }) => inBatches(database, AT_ONCE, forgetOldMessages),
      "template.sweep": async (_payload, tools) => {
        await lostWork.drain(tools);
        await send(tools);
        await tools.database.transaction("platform", forgetOld);
      },
    },
    waitingTimes: [
      { column: "subscribe_message.next_at", atMost: "15 minutes", where: "state = 'QUEUED'" },
      { column: "subscribe_message.claimed_at", atMost: "2 minutes", where: "state = 'SENDING'" },
    ],
    cron: [
      { task: "template.sweep", pattern: "* * * * *" },
      { task: FORGET, pattern: "15 18 * * *" },
    ],
  };
}
