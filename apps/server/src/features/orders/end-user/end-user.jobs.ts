// Scheduled job of people: forgets those who have not come back for as long as their tenant keeps them, and what earlier
// releases left of deleted ones.
import { leftoverTexts } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { forEachKey, type JobSet } from "../../../platform/jobs/jobs.ts";
import { type EndUserKey, findDue, forgetEndUser, lockDue } from "./end-user.sql.ts";
import { findLeftovers } from "./leftover.sql.ts";

const FORGET = "endUser.forgetInactive";
const AT_ONCE = 200;

export const endUserJobs: JobSet = {
  tasks: {
    [FORGET]: async (_payload, tools) => {
      let keys: EndUserKey[];
      let lastId = 0;
      do {
        keys = await tools.database.read("platform", (db) => findDue(db, lastId, AT_ONCE));
        lastId = keys.at(-1)?.id ?? lastId;
        await forEachKey(
          tools,
          async () => keys,
          async (db, key) => {
            const person = await lockDue(db, key);
            // Money, goods and debts keep a person known: only they can settle them.
            if (!person || leftoverTexts(await findLeftovers(db, person)).length > 0) return;
            await forgetEndUser(db, person);
          },
          "cannot forget a person",
        );
      } while (keys.length === AT_ONCE);
    },
  },
  cron: [{ task: FORGET, pattern: "30 18 * * *" }],
};
