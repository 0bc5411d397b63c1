// Generates up to millions of realistic orders inside the database: half of one tenant, half of its neighbours.
import pg from "pg";

/** All orders lie within this many days before now, whatever their number. */
export const DAYS = 300;
const ORDERS_A_USER = 20;
/** Orders of the tenant that are still open in compartments; all others have ended. */
const LIVE = 2_000;
const NEIGHBOUR_CABINETS = 10;

/** Weight of each hour of a Shanghai day. */
const HOURS = [1, 1, 0, 0, 0, 1, 3, 6, 9, 10, 11, 14, 12, 9, 8, 8, 9, 12, 15, 13, 9, 6, 4, 2];

export interface OrderRows {
  /** Adds orders up to `total` of all tenants; returns the time and the size of the database. */
  growTo(total: number): Promise<{ seconds: number; megabytes: number }>;
  close(): Promise<void>;
}

/**
 * Uses the tenant's existing cabinets, and adds this many other tenants with as many orders together; without any, all
 * orders are the tenant's. `url` must connect as the database owner.
 */
export async function openOrderRows(
  url: string,
  tenantId: number,
  neighbours: number,
): Promise<OrderRows> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run = (text: string, values: unknown[] = []) => client.query(text, values);
  await run("set role cabinet_platform");
  await run("set synchronous_commit = off");
  await run("set maintenance_work_mem = '512MB'");
  await run("set work_mem = '256MB'");
  await run("set timezone = 'Asia/Shanghai'");
  await run(
    `select ensure_order_month((date_trunc('month', now()) - make_interval(months => n))::date)
     from generate_series(0, ${Math.ceil(DAYS / 28) + 1}) n`,
  );
  await insertNeighbours(run, tenantId, neighbours);
  await run(
    `with doubled as (
       insert into cabinet_model (name, side, layout) values ('压测双面柜型', 'DOUBLE', '[]')
       returning id
     )
     update cabinet set model_id = doubled.id from doubled
     where tenant_id in (select tenant_id from bench_tenant) and cabinet.id % 10 < 3`,
  );
  await run(
    `create temp table bench_place as
     select cabinet.tenant_id, cabinet.id as cabinet_id, cabinet.store_id, model.side,
       row_number() over (partition by cabinet.tenant_id order by cabinet.id) - 1 as n
     from cabinet join cabinet_model model on model.id = cabinet.model_id
     where cabinet.tenant_id in (select tenant_id from bench_tenant)`,
  );
  await run("create unique index on bench_place (tenant_id, n)");
  await run(
    `update bench_tenant set places = (select count(*) from bench_place place
       where place.tenant_id = bench_tenant.tenant_id)`,
  );
  await run(
    `create temp table bench_hour as
     select hour, sum(weight) over (order by hour) - weight as before, weight, sum(weight) over () as whole
     from unnest($1::int[]) with ordinality input (weight, place),
       lateral (select place - 1 as hour) slot`,
    [HOURS],
  );
  let count = 0;
  return {
    async growTo(total) {
      const startedAt = performance.now();
      if (total > count) await fill(total);
      await asOwner(run, () => run("vacuum (analyze)"));
      const { rows } = await run("select pg_database_size(current_database()) / 1048576 as mb");
      return { seconds: (performance.now() - startedAt) / 1_000, megabytes: Number(rows[0].mb) };
    },
    close: () => client.end(),
  };

  async function fill(total: number): Promise<void> {
    await run("update bench_tenant set first_no = last_no + 1, last_no = round(share * $1)", [
      total,
    ]);
    await growUsers(run);
    await withoutChecks(run, async () => {
      await insertOrders(run, count === 0 ? LIVE : 0);
      await insertJournals(run);
      await insertEvents(run);
    });
    await insertLiveOrders(run);
    await insertFigures(run);
    count = total;
  }
}

/** Makes `bench_tenant`: all tenants with their share of the orders and the numbers of those to insert. */
async function insertNeighbours(run: Run, tenantId: number, neighbours: number): Promise<void> {
  await run(
    `create temp table bench_tenant as
     select ${tenantId} + n as tenant_id, n = 0 as is_own, 0 as places, 0 as users, 1 as first_no, 0 as last_no,
       ${neighbours === 0 ? 1 : `case when n = 0 then 0.5 else ${0.5 / neighbours} end`} as share
     from generate_series(0, ${neighbours}) n`,
  );
  await run(
    `insert into tenant (id, name) select tenant_id, '压测邻居 ' || tenant_id from bench_tenant
     where not is_own`,
  );
  await run(
    `insert into store (tenant_id, name, code)
     select tenant_id, '邻居门店 ' || tenant_id, 'B1' from bench_tenant where not is_own`,
  );
  await run(
    `insert into cabinet (tenant_id, sn, name, model_id, store_id, lifecycle, last_seen_at, offline_at,
       announced_connectivity, is_greeted)
     select store.tenant_id, 'NEXT' || store.tenant_id || lpad(n::text, 4, '0'), '邻居柜 ' || n, model.id,
       store.id, 'ACTIVE', now(), now() + interval '1 day', 'ONLINE', true
     from bench_tenant join store on store.tenant_id = bench_tenant.tenant_id
       cross join generate_series(1, ${NEIGHBOUR_CABINETS}) n
       cross join (select max(id) as id from cabinet_model) model
     where not is_own`,
  );
}

type Run = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

async function asOwner(run: Run, work: () => Promise<unknown>): Promise<void> {
  await run("reset role");
  await work();
  await run("set role cabinet_platform");
}

const FILLED = ["storage_order", "order_event", "ledger_journal", "ledger_leg"];

/**
 * Bulk load: drops foreign keys, user triggers and non-unique indexes of the filled tables and
 * restores them afterwards; unique indexes stay. Rows are consistent by construction.
 */
async function withoutChecks(run: Run, work: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await run(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i where i.indrelid = any($1::regclass[]) and not i.indisunique`,
    [FILLED],
  );
  const { rows: keys } = await run(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where conrelid = any($1::regclass[]) and contype = 'f' and conparentid = 0`,
    [FILLED],
  );
  await asOwner(run, async () => {
    for (const { name } of indexes) await run(`drop index ${name}`);
    for (const key of keys) await run(`alter table ${key.table} drop constraint ${key.name}`);
    for (const table of FILLED) await run(`alter table ${table} disable trigger user`);
  });
  await work();
  await asOwner(run, async () => {
    // "ON ONLY" would leave the partitions without the index.
    for (const { definition } of indexes) await run(definition.replace(" ON ONLY ", " ON "));
    for (const key of keys) {
      await run(`alter table ${key.table} add constraint ${key.name} ${key.definition} not valid`);
    }
    for (const table of FILLED) await run(`alter table ${table} enable trigger user`);
  });
}

async function growUsers(run: Run): Promise<void> {
  // A tenant's numbers begin elsewhere: few people use the cabinets of several.
  await run(
    `insert into end_user (tenant_id, phone, name)
     select tenant_id, '1' || (30 + n % 70)::text
       || lpad(((n + 33331::bigint * tenant_id) * 7919 % 100000000)::text, 8, '0'), '用户 ' || n
     from bench_tenant
     cross join generate_series(users + 1, ceil(last_no / ${ORDERS_A_USER}.0)::int) n
     on conflict do nothing`,
  );
  await run(
    `insert into wallet (tenant_id, end_user_id, principal_fen, bonus_fen)
     select tenant_id, id, 1000000, 100000 from end_user
     where tenant_id in (select tenant_id from bench_tenant) on conflict do nothing`,
  );
  await run("drop table if exists bench_user");
  await run(
    `create temp table bench_user as
     select tenant_id, id, row_number() over (partition by tenant_id order by id) - 1 as user_no
     from end_user where tenant_id in (select tenant_id from bench_tenant)`,
  );
  await run("create unique index on bench_user (tenant_id, user_no)");
  await run(
    `update bench_tenant set users = found.count from (
       select tenant_id, count(*) from bench_user group by 1) found
     where found.tenant_id = bench_tenant.tenant_id`,
  );
  await run("analyze bench_user, bench_tenant, bench_place");
}

/**
 * Spreads each tenant's orders evenly over the days, by HOURS within a day, and inserts them in the order of time; the last
 * `live` of the tenant are open.
 */
async function insertOrders(run: Run, live: number): Promise<void> {
  const pricing = JSON.stringify({
    scope: "TENANT",
    rule: {
      freeMinutes: 30,
      perUseFen: 0,
      stepMinutes: 60,
      stepFen: 100,
      capFen: 2_000,
      overdueAfterMinutes: 1_440,
    },
  });
  await run(
    `insert into storage_order (tenant_id, id, created_at, side, cabinet_id, store_id, compartment_no,
       size, state, pay_status, third_party_no, rider_id, recipient_id, pricing, stored_at, overdue_at,
       ended_at, price_fen, paid_principal_fen, refunded_principal_fen)
     select made_order.tenant_id,
       first_order_id(created_at) | (((n + 7919::bigint * made_order.tenant_id) * 2654435761) & 4194303),
       created_at, side, cabinet_id, store_id, no, (array['S', 'M', 'M', 'L'])[1 + no % 4], state,
       case when state in ('STORED', 'OVERDUE', 'EXCEPTION') then 'UNPAID'
         when fee = 0 or state in ('CANCELLED', 'TAKEN_BACK', 'ADMIN_CLEARED') then 'NONE'
         when dice > 0.998 then 'REFUNDED' else 'PAID' end,
       case when n % 5 = 0 then 'TP' || made_order.tenant_id || '-' || n end, rider.id, recipient.id,
       $1::jsonb,
       case when state <> 'CANCELLED' then created_at + interval '1 minute' end,
       case when state <> 'CANCELLED' then created_at + interval '1 day' end,
       case when state not in ('STORED', 'OVERDUE', 'EXCEPTION')
         then created_at + make_interval(mins => minutes) end,
       case when state = 'COMPLETED' then fee else 0 end,
       case when state = 'COMPLETED' then fee else 0 end,
       case when state = 'COMPLETED' and dice > 0.998 then fee else 0 end
     from (
       select tenant_id, users, n, dice, minutes, cabinet_id, store_id, side, created_at,
         1 + (n / places * 7 % 36)::int as no,
         case when minutes <= 30 then 0 else least(2000, 100 * ceil((minutes - 30) / 60.0)) end::int as fee,
         case when is_own and n > last_no - ${live}
             then case when dice < 0.06 then 'OVERDUE' when dice < 0.065 then 'EXCEPTION' else 'STORED' end
           when dice < 0.955 then 'COMPLETED' when dice < 0.97 then 'TAKEN_BACK'
           when dice < 0.99 then 'CANCELLED' when dice < 0.996 then 'ADMIN_CLEARED'
           else 'COMPLETED' end as state
       from (
         select series.*, random() as dice, 3 + ceil(-ln(1 - random()) * 150)::int as minutes,
           date_trunc('day', now()) - make_interval(days => ${DAYS})
             + make_interval(days => (share * ${DAYS})::int, secs => second) as created_at,
           place.cabinet_id, place.store_id, place.side
         from (
           select tenant_id, is_own, places, users, last_no, n::bigint,
             (n - first_no)::float8 / (last_no - first_no + 1) as exact
           from bench_tenant cross join generate_series(first_no, last_no) n
           order by exact
         ) series
         cross join lateral (select floor(exact * ${DAYS}) / ${DAYS} as share,
           (exact * ${DAYS} - floor(exact * ${DAYS})) as part) split
         join lateral (
           select (hour + (part * whole - before) / weight) * 3600 as second from bench_hour
           where part * whole >= before and part * whole < before + weight limit 1) within_day
           on true
         join bench_place place on place.tenant_id = series.tenant_id and place.n = series.n * 7 % places
       ) made
     ) made_order
     join bench_user rider on rider.tenant_id = made_order.tenant_id
       and rider.user_no = made_order.n * 31 % greatest(1, users / 10)
     join bench_user recipient on recipient.tenant_id = made_order.tenant_id
       and recipient.user_no = made_order.n * 104729 % users
     on conflict do nothing`,
    [pricing],
  );
}

/** Inserts one payment journal with its two legs per paid order. */
async function insertJournals(run: Run): Promise<void> {
  await run(
    `insert into ledger_journal (tenant_id, at, kind, side, biz_type, biz_id, order_id, end_user_id,
       principal_fen, principal_after_fen, bonus_after_fen, actor_kind, actor_name)
     select tenant_id, ended_at, 'PAYMENT', side, 'BENCH', id::text, id, recipient_id,
       -paid_principal_fen, 1000000, 100000, 'END_USER', '用户'
     from storage_order where paid_principal_fen > 0 order by ended_at on conflict do nothing`,
  );
  await run(
    `insert into ledger_leg (tenant_id, journal_id, account, amount_fen)
     select journal.tenant_id, journal.id, account, fen
     from ledger_journal journal, lateral (values ('WALLET_PRINCIPAL', journal.principal_fen),
       ('ORDER_INCOME', -journal.principal_fen)) leg (account, fen)
     where journal.biz_type = 'BENCH' on conflict do nothing`,
  );
}

/** About four events an order. */
async function insertEvents(run: Run): Promise<void> {
  await run(
    `insert into order_event (tenant_id, order_id, at, kind, from_state, to_state, actor_kind, actor_name)
     select ord.tenant_id, ord.id, coalesce(case at when 0 then ord.created_at
       when 1 then ord.stored_at end,
       ord.ended_at, ord.created_at), kind, from_state, to_state, 'END_USER', '用户'
     from storage_order ord
     join (values (0, 'CREATED', null, 'PENDING'), (0, 'OPEN_REQUESTED', 'PENDING', 'DEPOSITING'),
         (1, 'STORED', 'DEPOSITING', 'STORED'), (2, 'PAID', null, null),
         (2, 'COMPLETED', 'STORED', 'COMPLETED'), (2, 'CANCELLED', 'DEPOSITING', 'CANCELLED'),
         (2, 'TAKEN_BACK', 'STORED', 'TAKEN_BACK'))
         step (at, kind, from_state, to_state)
       on at = 0 or (kind = 'STORED' and ord.stored_at is not null)
         or (kind = 'PAID' and ord.paid_principal_fen > 0) or kind = ord.state
     where not exists (select from order_event where order_event.tenant_id = ord.tenant_id
       and order_event.order_id = ord.id)`,
  );
}

async function insertLiveOrders(run: Run): Promise<void> {
  await run(
    `insert into live_order (tenant_id, cabinet_id, compartment_no, order_id, code_hash, overdue_at)
     select tenant_id, cabinet_id, compartment_no, id, sha256(id::text::bytea),
       case when state = 'STORED' then overdue_at end
     from storage_order where state in ('STORED', 'OVERDUE', 'EXCEPTION')
     on conflict do nothing`,
  );
}

async function insertFigures(run: Run): Promise<void> {
  await run("delete from order_day");
  await run(
    `insert into order_day (tenant_id, day, side, store_id, cabinet_id, started, stored, completed,
       overdue, income_fen, refund_fen, stay_minutes, openings, opened)
     select tenant_id, created_at::date, side, store_id, cabinet_id, count(*), count(stored_at),
       count(ended_at), count(*) filter (where state = 'OVERDUE'), sum(paid_principal_fen),
       sum(refunded_principal_fen), coalesce(sum(extract(epoch from ended_at - stored_at) / 60), 0)::bigint,
       2 * count(*), 2 * count(*)
     from storage_order group by 1, 2, 3, 4, 5 order by 2, 1`,
  );
}
