// Scheduled job of people: forgets those who have not come back for as long as their tenant keeps them, and what earlier
// releases left of deleted ones.
import { leftoverTexts } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { forEachKey, type JobSet, type JobTools } from "../../../platform/jobs/jobs.ts";
import { findOrderIdsOf } from "../order/index.ts";
import {
  type EndUserKey,
  findDue,
  forgetEndUser,
  forgetOrders,
  lockDue,
  ORDERS_AT_ONCE,
} from "./end-user.sql.ts";
import { findLeftovers } from "./leftover.sql.ts";

const FORGET = "endUser.forgetInactive";
const AT_ONCE = 200;
const FAILURE = "cannot forget a person";

/** All orders of deleted people, in short transactions; returns the people for whom this has worked. */
async function forgetOrdersOf(
  { database, log }: JobTools,
  keys: readonly EndUserKey[],
): Promise<EndUserKey[]> {
  const done: EndUserKey[] = [];
  for (const key of keys) {
    const scope = { tenantId: key.tenantId };
    const person = { ...scope, endUserId: key.id };
    try {
      const orderIds = await database.read(scope, (db) => findOrderIdsOf(db, person));
      for (let at = 0; at < orderIds.length; at += ORDERS_AT_ONCE) {
        const some = orderIds.slice(at, at + ORDERS_AT_ONCE);
        await database.transaction(scope, (db) => forgetOrders(db, key, some));
      }
      done.push(key);
    } catch (error) {
      log.error({ err: error, ...person }, FAILURE);
    }
  }
  return done;
}

export const endUserJobs: JobSet = {
  tasks: {
    [FORGET]: async (_payload, tools) => {
      let keys: Awaited<ReturnType<typeof findDue>>;
      let lastId = 0;
      do {
        keys = await tools.database.read("platform", (db) => findDue(db, lastId, AT_ONCE));
        lastId = keys.at(-1)?.id ?? lastId;
        const ready = [
          ...(await forgetOrdersOf(
            tools,
            keys.filter(({ isDeleted }) => isDeleted),
          )),
          ...keys.filter(({ isDeleted }) => !isDeleted),
        ];
        await forEachKey(
          tools,
          async () => ready,
          async (db, key) => {
            const person = await lockDue(db, key);
            // Money, goods and debts keep a person known: only they can settle them.
            if (!person || leftoverTexts(await findLeftovers(db, person)).length > 0) return;
            await forgetEndUser(db, person);
          },
          FAILURE,
        );
      } while (keys.length === AT_ONCE);
    },
  },
  cron: [{ task: FORGET, pattern: "30 18 * * *" }],
};
