// Scheduled job for adverts: refreshes playlists as dates pass and cabinets move, and resends
// unanswered ones.
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { notifyConfigs } from "../../link/device/index.ts";
import { findShowingTenants, findSilentCabinets, refreshPlaylists } from "./playlist.sql.ts";

const RESENDS_A_MINUTE = 500;

export const advertJobs: JobSet = {
  tasks: {
    "advert.refreshPlaylists": async (_payload, { database, log }) => {
      const tenantIds = await database.read("platform", findShowingTenants);
      for (const tenantId of tenantIds) {
        const refresh = database.transaction({ tenantId }, async (db) =>
          notifyConfigs(db, await refreshPlaylists(db, tenantId)),
        );
        // A failure for one tenant must not delay the others' screens; the next minute retries.
        await refresh.catch((error) =>
          log.error({ err: error, tenantId }, "playlists not refreshed"),
        );
      }
      await database.transaction("platform", async (db) =>
        notifyConfigs(db, await findSilentCabinets(db, RESENDS_A_MINUTE)),
      );
    },
  },
  cron: [{ task: "advert.refreshPlaylists", pattern: "* * * * *" }],
};
