// Scheduled job of commands, which removes those that a tenant does not keep any more, and times that a clock may leave ahead.
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { removeDue } from "../../../platform/jobs/retention.ts";
import { removeOldCommands } from "./command.sql.ts";

export const commandJobs: JobSet = {
  tasks: {
    "command.removeOld": (_payload, tools) => removeDue(tools, "commands", removeOldCommands),
  },
  // A result that a late report may still change would never become final, and no snapshot would end its doubt.
  waitingTimes: (["settled_at", "expires_at", "acked_at"] as const).map((column) => ({
    column: `command.${column}`,
    atMost: "2 minutes",
    where: "state in ('UNKNOWN', 'NOT_CONFIRMED') and final_state is null",
  })),
  cron: [{ task: "command.removeOld", pattern: "25 * * * *" }],
};
