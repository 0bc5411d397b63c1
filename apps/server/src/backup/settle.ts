// Marks messages in flight at backup time as not to be sent again: the system before the restore may have sent them.
import type pg from "pg";
import { failRestored } from "../features/messaging/sms/index.ts";
import { settleRestored } from "../features/messaging/template/index.ts";
import { resetChanges } from "../features/partners/open-api/index.ts";
import { handleOf } from "../platform/db/db.ts";

export interface Settled {
  texts: number;
  subscribeMessages: number;
  news: number;
}

/** A worker was alive within 30 seconds: settling would mark messages it is sending as unknown. */
export async function isInUse(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    "select exists (select from job_worker where seen_at > now() - interval '30 seconds') as is",
  );
  return rows[0]?.is === true;
}

/** Null when the backup's version has no `restoration` table. Messages a carrier took are still polled as usual. */
export async function settleMessages(client: pg.Client): Promise<Settled | null> {
  const { rows } = await client.query("select to_regclass('restoration') is not null as known");
  if (!rows[0]?.known) return null;
  await client.query("begin");
  try {
    // Jobs locked by a worker of the old system cannot be completed until that worker is declared gone.
    await client.query(`
      select graphile_worker.force_unlock_workers(array(
        select locked_by from graphile_worker.jobs
        where task_identifier = 'order.tell' and locked_by is not null))`);
    const news = await client.query(`
      select graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs where task_identifier = 'order.tell'))`);
    // Row-level security applies to the table owner too.
    await client.query("set local role cabinet_platform");
    const db = handleOf(client, {
      get vault(): never {
        throw new Error("settling opens no sealed value");
      },
    });
    const texts = await failRestored(db);
    const subscribeMessages = await settleRestored(db);
    await client.query("insert into restoration default values");
    await resetChanges(db);
    await client.query("commit");
    return { texts, subscribeMessages, news: news.rowCount ?? 0 };
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
