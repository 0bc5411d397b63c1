// Background jobs of maintenance messages: notices of new malfunctions, and escalations.
import { forEachKey, type JobSet } from "../../../platform/jobs/jobs.ts";
import { followAlert } from "./maintenance-alert.service.ts";
import { NOTIFY } from "./maintenance-message.queue.ts";
import { findDueAlerts, findDueSms } from "./maintenance-notice.sql.ts";
import { sendWaiting } from "./staff-notice.service.ts";

/** Batch size per minute; the rest waits for the next run. */
const A_MINUTE = 500;
const FAILURE = "maintenance message not sent";

export const maintenanceMessageJobs: JobSet = {
  tasks: {
    [NOTIFY]: async (_payload, tools) => {
      await forEachKey(tools, (db) => findDueAlerts(db, A_MINUTE), followAlert, FAILURE);
      await forEachKey(tools, (db) => findDueSms(db, A_MINUTE), sendWaiting, FAILURE);
    },
  },
  cron: [{ task: NOTIFY, pattern: "* * * * *" }],
};
