// Scheduled jobs of files: deletes unused files with their bytes.
import type { FileStore } from "../../../platform/files/file-store.ts";
import { deleteStoredObject, findStrayObjects } from "../../../platform/files/stored-object.sql.ts";
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { deleteUnusedFiles } from "./file.sql.ts";

const AT_ONCE = 200;

/** Removes the object before its row: an interrupted sweep is repeated. */
export function fileJobs(files: FileStore): JobSet {
  return {
    tasks: {
      "file.sweep": async (_payload, { database }) => {
        const strays = await database.transaction("platform", async (db) => {
          await deleteUnusedFiles(db);
          return findStrayObjects(db, AT_ONCE);
        });
        for (const key of strays) {
          await files.remove(key);
          await database.transaction("platform", (db) => deleteStoredObject(db, key));
        }
      },
    },
    cron: [{ task: "file.sweep", pattern: "17 * * * *" }],
  };
}
