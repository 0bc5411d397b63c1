// A queue of the tests: a table, works on it, and effects outside of its transactions.
import type { Database, Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import {
  defineAct,
  defineWork,
  type Work,
  type WorkKey,
} from "../../apps/server/src/platform/work/work.ts";

export const TABLES = `
  create table item (
    tenant_id int not null, id int generated always as identity, kind text not null,
    state text not null default 'QUEUED', due_at timestamptz not null default now(),
    effects int not null default 0, primary key (tenant_id, id));
  create table effect (at timestamptz not null default clock_timestamp(), n bigint generated always as identity,
    tenant_id int not null, id int not null);
  grant all on item, effect to cabinet_tenant, cabinet_platform`;

const queueOf = (kind: string) => sql`
  select tenant_id, id::text as key, due_at from item where state = 'QUEUED' and kind = ${kind}`;

async function lock(db: Db, { tenantId, key }: WorkKey): Promise<boolean> {
  const row = await db.maybe(sql`
    select from item where tenant_id = ${tenantId} and id = ${Number(key)} and state = 'QUEUED'
      and due_at <= now() for update skip locked`);
  return row !== null;
}

const setState = (db: Db, { tenantId, key }: WorkKey, state: string) =>
  db.run(sql`
    update item set state = ${state}, effects = effects + 1
    where tenant_id = ${tenantId} and id = ${Number(key)}`);

/** Called for each row, between its lock and its commit or during its effect. */
type Hook = (row: WorkKey) => unknown;

/** An effect inside the row's transaction. */
export const actWork = (hook: Hook = () => {}, more: { parallel?: number } = {}): Work =>
  defineAct({
    ...{ name: "test.act", parallel: 2, ...more },
    queue: queueOf("act"),
    async act(db, row) {
      if (!(await lock(db, row)) || (await hook(row)) === "WAIT") return;
      await setState(db, row, "DONE");
    },
  });

/** An effect outside: written at once, whatever becomes of the row. */
export const effectWork = (
  database: Database,
  hook: Hook = () => {},
  more: { parallel?: number; perTenant?: number } = {},
): Work =>
  defineWork<WorkKey, unknown>({
    ...{ name: "test.effect", parallel: 4, ...more },
    queue: queueOf("effect"),
    async claim(db, { tenantId, key }) {
      const row = { tenantId, key };
      if (!(await lock(db, row))) return null;
      await setState(db, row, "CLAIMED");
      return row;
    },
    async run({ tenantId, key }) {
      await database.transaction({ tenantId }, (db) =>
        db.run(sql`insert into effect (tenant_id, id) values (${tenantId}, ${Number(key)})`),
      );
      return hook({ tenantId, key });
    },
    pausesTenant: (outcome) => outcome === "PAUSE",
    async settle(db, row) {
      await db.run(sql`
        update item set state = 'DONE'
        where tenant_id = ${row.tenantId} and id = ${Number(row.key)} and state = 'CLAIMED'`);
    },
  });
