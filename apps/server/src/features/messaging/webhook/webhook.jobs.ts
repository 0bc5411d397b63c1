// Scheduled webhook jobs: notifying about failures and deleting expired data.
import { forEachKey, type JobSet } from "../../../platform/jobs/jobs.ts";
import { deleteEndedSecrets, deleteOld } from "./delivery.sql.ts";
import { notifyOfTrouble } from "./webhook-trouble.service.ts";
import { findTroubled } from "./webhook-trouble.sql.ts";

const AT_ONCE = 2_000;

export const webhookJobs: JobSet = {
  tasks: {
    "callback.tell": (_payload, tools) =>
      forEachKey(tools, findTroubled, notifyOfTrouble, "trouble of callbacks not told"),
    "callback.forget": async (_payload, { database }) => {
      await database.transaction("platform", deleteEndedSecrets);
      let deleted: number;
      do {
        deleted = await database.transaction("platform", (db) => deleteOld(db, AT_ONCE));
      } while (deleted === AT_ONCE);
    },
  },
  waitingTimes: [
    {
      column: "callback_delivery.next_at",
      atMost: "2 minutes",
      where: "state = 'WAITING' and attempts = 0",
    },
    // A day is the longest pause between attempts, with its jitter.
    { column: "callback_delivery.next_at", atMost: "29 hours", where: "state = 'WAITING'" },
    { column: "callback_delivery.leased_until", atMost: "10 minutes", where: "state = 'SENDING'" },
  ],
  cron: [
    { task: "callback.tell", pattern: "* * * * *" },
    { task: "callback.forget", pattern: "40 18 * * *" },
  ],
};
