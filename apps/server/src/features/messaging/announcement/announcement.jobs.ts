// Scheduled job that notifies consoles when the publishing time of an announcement has come.

import { pushLive } from "../../../platform/http/live.ts";
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { PLATFORM_TENANT_ID } from "../../organization/tenant/index.ts";
import { takeUnpublished } from "./announcement.sql.ts";

/** Announcements are published by the clock alone; the job only makes open consoles reload. */
export const announcementJobs: JobSet = {
  tasks: {
    "announcement.tell": (_payload, { database }) =>
      database.transaction("platform", async (db) => {
        for (const { tenantId } of await takeUnpublished(db)) {
          const owner = tenantId === PLATFORM_TENANT_ID ? null : tenantId;
          await pushLive(db, { tenantId: owner, topic: "announcement", cabinetId: null });
        }
      }),
  },
  cron: [{ task: "announcement.tell", pattern: "* * * * *" }],
};
