// Scheduled job of the audit log: signs the heads of its chains.
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { type SealTools, sealHeads } from "./audit-seal.service.ts";

export function auditJobs(seal: SealTools): JobSet {
  return {
    tasks: { "audit.seal": (_payload, tools) => sealHeads(tools, seal) },
    // 00:05 in Shanghai.
    cron: [{ task: "audit.seal", pattern: "5 16 * * *" }],
  };
}
