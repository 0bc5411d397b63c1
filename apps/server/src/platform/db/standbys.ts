// Standbys of the database: whether a failover keeps what was acknowledged.
import { standbys } from "../metrics.ts";
import type { Database } from "./db.ts";
import { sql } from "./sql.ts";

export interface Standbys {
  /** A commit waits until one of them has it. */
  synchronous: number;
  asynchronous: number;
  /** The account may not see their state: it lacks the role pg_monitor. */
  unseen: number;
}

/** A base backup is no standby. `potential` ones become synchronous when another is lost: there is one that is. */
export const standbysSql = sql`
  select count(*) filter (where sync_state in ('sync', 'quorum'))::int as synchronous,
    count(*) filter (where sync_state in ('async', 'potential'))::int as asynchronous,
    count(*) filter (where sync_state is null)::int as unseen
  from pg_stat_replication where coalesce(state, 'streaming') in ('streaming', 'catchup')`;

/** As the login: the roles of the schema may see less. */
export function findStandbys(database: Database): Promise<Standbys> {
  return database.read("platform", async (db) => {
    await db.run(sql`set local role none`);
    return db.one<Standbys>(standbysSql);
  });
}

export async function measureStandbys(database: Database): Promise<void> {
  const { synchronous, asynchronous, unseen } = await findStandbys(database);
  standbys.synchronous.set(synchronous);
  standbys.asynchronous.set(asynchronous);
  standbys.unseen.set(unseen);
}

/** Sentence about the last transactions that a failover would lose; null if it would lose none. */
export function standbyWarning({ synchronous, asynchronous, unseen }: Standbys): string | null {
  if (synchronous > 0) return null;
  if (asynchronous > 0) {
    return "备库是异步的：切换到它时，最后几笔已经应答的订单和开门会丢失。请设置 synchronous_standby_names（见 /doc/sre 的“多台机器”）";
  }
  return unseen > 0
    ? "看不到备库是不是同步的：请给数据库账户授予 pg_monitor（grant pg_monitor to 账户）"
    : null;
}
