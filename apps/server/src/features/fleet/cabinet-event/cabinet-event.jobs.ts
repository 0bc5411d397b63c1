// Scheduled job of cabinets' logs: removes the events that a tenant does not keep any more.
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { removeDue } from "../../../platform/jobs/retention.ts";
import { removeEvents } from "./cabinet-event.sql.ts";

export const cabinetEventJobs: JobSet = {
  tasks: {
    "cabinetEvent.removeOld": (_payload, tools) => removeDue(tools, "events", removeEvents),
  },
  cron: [{ task: "cabinetEvent.removeOld", pattern: "5 * * * *" }],
};
