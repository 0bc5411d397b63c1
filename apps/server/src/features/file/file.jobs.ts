// What runs by itself for files: those that nothing is made of are swept, with their bytes.
import type { FileStore } from "../../platform/file-store.ts";
import type { JobSet } from "../../platform/jobs.ts";
import { deleteStoredObject, findStrayObjects } from "../../platform/stored-object.sql.ts";
import { deleteUnusedFiles } from "./file.sql.ts";

const AT_ONCE = 200;

/** The object goes first and its row after it: what is interrupted in between is done again. */
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
