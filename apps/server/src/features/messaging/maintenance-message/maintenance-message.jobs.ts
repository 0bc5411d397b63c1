// Background jobs of maintenance messages: notices of new malfunctions, and escalations.
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { defineAct } from "../../../platform/work/work.ts";
import { followAlert } from "./maintenance-alert.service.ts";
import { NOTIFY } from "./maintenance-message.queue.ts";
import { alertQueue, waitingSmsQueue } from "./maintenance-notice.sql.ts";
import { sendWaiting } from "./staff-notice.service.ts";

// One at a time: a notice looks at the last one of its kind and place.
const alertWork = defineAct({
  ...{ name: "maintenance.alerts", queue: alertQueue, parallel: 1 },
  act: (db, { tenantId, key }) => followAlert(db, { tenantId, id: Number(key) }),
});
const waitingSmsWork = defineAct({
  ...{ name: "maintenance.waitingSms", queue: waitingSmsQueue, parallel: 1 },
  act: (db, { tenantId, key }) => sendWaiting(db, { tenantId, id: Number(key) }),
});

export const maintenanceMessageJobs: JobSet = {
  tasks: {
    [NOTIFY]: async (_payload, tools) => {
      await alertWork.drain(tools);
      await waitingSmsWork.drain(tools);
    },
  },
  cron: [{ task: NOTIFY, pattern: "* * * * *" }],
};
