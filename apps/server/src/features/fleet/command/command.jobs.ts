// Scheduled job of commands: removes those that a tenant does not keep any more.
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { removeDue } from "../../../platform/jobs/retention.ts";
import { removeOldCommands } from "./command.sql.ts";

export const commandJobs: JobSet = {
  tasks: {
    "command.removeOld": (_payload, tools) => removeDue(tools, "commands", removeOldCommands),
  },
  cron: [{ task: "command.removeOld", pattern: "25 * * * *" }],
};
