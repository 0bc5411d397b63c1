// The door for work that nobody waits for: jobs and cron.
import { authJobs } from "./features/auth/index.ts";
import { type JobTools, startJobs } from "./platform/jobs.ts";

export function startWorker(url: string, tools: JobTools): Promise<{ stop(): Promise<void> }> {
  return startJobs(url, [authJobs], tools);
}
