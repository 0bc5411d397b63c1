// What runs by itself for adverts: dates pass, cabinets move, and what was not heard is said again.
import type { JobSet } from "../../platform/jobs.ts";
import { notifyConfigs } from "../device/index.ts";
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
        // One tenant's trouble keeps nobody else's screens waiting; the next minute tries again.
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
