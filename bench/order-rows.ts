// Generates up to millions of realistic orders of one tenant inside the database.
import pg from "pg";

/** All orders lie within this many days before now, whatever their number. */
export const DAYS = 300;
const ORDERS_A_USER = 20;
/** Orders that are still open in compartments; all others have ended. */
const LIVE = 2_000;
/** Only this many of the newest orders get timeline events. */
const WITH_EVENTS = 200_000;

/** Weight of each hour of a Shanghai day. */
const HOURS = [1, 1, 0, 0, 0, 1, 3, 6, 9, 10, 11, 14, 12, 9, 8, 8, 9, 12, 15, 13, 9, 6, 4, 2];

export interface OrderRows {
  /** Adds orders up to `total`; returns the time and the size of the database. */
  growTo(total: number): Promise<{ seconds: number; megabytes: number }>;
  close(): Promise<void>;
}

/** Uses the tenant's existing cabinets; `url` must connect as the database owner. */
export async function openOrderRows(url: string, tenantId: number): Promise<OrderRows> {
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
  await run(
    `with doubled as (
       insert into cabinet_model (name, side, layout) values ('压测双面柜型', 'DOUBLE', '[]')
       returning id
     )
     update cabinet set model_id = doubled.id from doubled where tenant_id = $1
       and cabinet.id % 10 < 3`,
    [tenantId],
  );
  await run(
    `create temp table bench_place as
     select row_number() over (order by cabinet.id) - 1 as n, cabinet.id as cabinet_id,
       cabinet.store_id, model.side
     from cabinet join cabinet_model model on model.id = cabinet.model_id
     where cabinet.tenant_id = ${tenantId}`,
  );
  await run("create unique index on bench_place (n)");
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
    await growUsers(run, tenantId, Math.ceil(total / ORDERS_A_USER));
    await withoutChecks(run, async () => {
      await insertOrders(run, tenantId, { from: count, to: total });
      await insertJournals(run, tenantId);
    });
    await insertEvents(run, tenantId);
    await insertLiveOrders(run, tenantId);
    await insertFigures(run, tenantId);
    count = total;
  }
}

type Run = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

async function asOwner(run: Run, work: () => Promise<unknown>): Promise<void> {
  await run("reset role");
  await work();
  await run("set role cabinet_platform");
}

const FILLED = ["storage_order", "ledger_journal", "ledger_leg"];

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

async function growUsers(run: Run, tenantId: number, total: number): Promise<void> {
  await run(
    `insert into end_user (tenant_id, phone, name)
     select $1, '1' || (30 + n % 70)::text || lpad((n * 7919 % 100000000)::text, 8, '0'), '用户 ' || n
     from generate_series((select count(*) from end_user where tenant_id = $1) + 1, $2) n
     on conflict do nothing`,
    [tenantId, total],
  );
  await run(
    `insert into wallet (tenant_id, end_user_id, principal_fen, bonus_fen)
     select tenant_id, id, 1000000, 100000 from end_user where tenant_id = $1 on conflict do nothing`,
    [tenantId],
  );
  await run("drop table if exists bench_user");
  await run(
    `create temp table bench_user as
     select row_number() over (order by id) - 1 as user_no, id from end_user where tenant_id = $1`.replace(
      "$1",
      String(tenantId),
    ),
  );
  await run("create unique index on bench_user (user_no)");
}

/** Spreads orders evenly over the days, by HOURS within a day; the last LIVE of batch one are open. */
async function insertOrders(
  run: Run,
  tenantId: number,
  { from, to }: { from: number; to: number },
): Promise<void> {
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
     select $1, first_order_id(created_at) | ((n * 2654435761) & 4194303), created_at, side,
       cabinet_id, store_id, no, (array['S', 'M', 'M', 'L'])[1 + no % 4], state,
       case when state in ('STORED', 'OVERDUE', 'EXCEPTION') then 'UNPAID'
         when fee = 0 or state in ('CANCELLED', 'TAKEN_BACK', 'ADMIN_CLEARED') then 'NONE'
         when dice > 0.998 then 'REFUNDED' else 'PAID' end,
       case when n % 5 = 0 then 'TP' || n end, rider.id, recipient.id, $4::jsonb,
       case when state <> 'CANCELLED' then created_at + interval '1 minute' end,
       case when state <> 'CANCELLED' then created_at + interval '1 day' end,
       case when state not in ('STORED', 'OVERDUE', 'EXCEPTION')
         then created_at + make_interval(mins => minutes) end,
       case when state = 'COMPLETED' then fee else 0 end,
       case when state = 'COMPLETED' then fee else 0 end,
       case when state = 'COMPLETED' and dice > 0.998 then fee else 0 end
     from (
       select n, dice, minutes, cabinet_id, store_id, side, created_at,
         1 + (n / 300 * 7 % 36)::int as no,
         case when minutes <= 30 then 0 else least(2000, 100 * ceil((minutes - 30) / 60.0)) end::int as fee,
         case when $2::bigint = 0 and n > $3::bigint - ${LIVE}
             then case when dice < 0.06 then 'OVERDUE' when dice < 0.065 then 'EXCEPTION' else 'STORED' end
           when dice < 0.955 then 'COMPLETED' when dice < 0.97 then 'TAKEN_BACK'
           when dice < 0.99 then 'CANCELLED' when dice < 0.996 then 'ADMIN_CLEARED'
           else 'COMPLETED' end as state
       from (
         select series.n, random() as dice, 3 + ceil(-ln(1 - random()) * 150)::int as minutes,
           date_trunc('day', now()) - make_interval(days => ${DAYS})
             + make_interval(days => (share * ${DAYS})::int, secs => second) as created_at,
           place.cabinet_id, place.store_id, place.side
         from generate_series($2::bigint + 1, $3::bigint) series (n)
         cross join lateral (select (series.n - $2 - 1)::float8 / ($3 - $2) as exact) spread
         cross join lateral (select floor(exact * ${DAYS}) / ${DAYS} as share,
           (exact * ${DAYS} - floor(exact * ${DAYS})) as part) split
         join lateral (
           select (hour + (part * whole - before) / weight) * 3600 as second from bench_hour
           where part * whole >= before and part * whole < before + weight limit 1) within_day
           on true
         cross join lateral (select (series.n * 7 % 300)::bigint as place_no) chosen
         join bench_place place on place.n = chosen.place_no
       ) made
     ) made_order
     join bench_user rider on rider.user_no = (made_order.n * 31) % (select count(*) / 10
       from bench_user)
     join bench_user recipient on recipient.user_no = (made_order.n * 104729) % (select count(*)
       from bench_user)
     on conflict do nothing`,
    [tenantId, from, to, pricing],
  );
}

/** Inserts one payment journal with its two legs per paid order. */
async function insertJournals(run: Run, tenantId: number): Promise<void> {
  await run(
    `insert into ledger_journal (tenant_id, at, kind, side, biz_type, biz_id, order_id, end_user_id,
       principal_fen, principal_after_fen, bonus_after_fen, actor_kind, actor_name)
     select tenant_id, ended_at, 'PAYMENT', side, 'BENCH', id::text, id, recipient_id,
       -paid_principal_fen, 1000000, 100000, 'END_USER', '用户'
     from storage_order where tenant_id = $1 and paid_principal_fen > 0
       and id > coalesce((select max(order_id) from ledger_journal where tenant_id = $1
         and kind = 'NONE'), 0)
     order by ended_at on conflict do nothing`,
    [tenantId],
  );
  await run(
    `insert into ledger_leg (tenant_id, journal_id, account, amount_fen)
     select journal.tenant_id, journal.id, account, fen
     from ledger_journal journal, lateral (values ('WALLET_PRINCIPAL', journal.principal_fen),
       ('ORDER_INCOME', -journal.principal_fen)) leg (account, fen)
     where journal.tenant_id = $1 and journal.biz_type = 'BENCH' on conflict do nothing`,
    [tenantId],
  );
}

async function insertEvents(run: Run, tenantId: number): Promise<void> {
  await run(
    `insert into order_event (tenant_id, order_id, at, kind, from_state, to_state, actor_kind, actor_name)
     select ord.tenant_id, ord.id, coalesce(case at when 0 then ord.created_at
       when 1 then ord.stored_at end,
       ord.ended_at, ord.created_at), kind, from_state, to_state, 'END_USER', '用户'
     from (select * from storage_order where tenant_id = $1 order by id desc
       limit ${WITH_EVENTS}) ord
     join (values (0, 'CREATED', null, 'PENDING'), (0, 'OPEN_REQUESTED', 'PENDING', 'DEPOSITING'),
         (1, 'STORED', 'DEPOSITING', 'STORED'), (2, 'PAID', null, null),
         (2, 'COMPLETED', 'STORED', 'COMPLETED'), (2, 'CANCELLED', 'DEPOSITING', 'CANCELLED'),
         (2, 'TAKEN_BACK', 'STORED', 'TAKEN_BACK'))
         step (at, kind, from_state, to_state)
       on at = 0 or (kind = 'STORED' and ord.stored_at is not null)
         or (kind = 'PAID' and ord.paid_principal_fen > 0) or kind = ord.state
     where not exists (select from order_event where order_event.tenant_id = ord.tenant_id
       and order_event.order_id = ord.id)
     order by ord.id, at`,
    [tenantId],
  );
}

async function insertLiveOrders(run: Run, tenantId: number): Promise<void> {
  await run(
    `insert into live_order (tenant_id, cabinet_id, compartment_no, order_id, code_hash, overdue_at)
     select tenant_id, cabinet_id, compartment_no, id, sha256(id::text::bytea),
       case when state = 'STORED' then overdue_at end
     from storage_order where tenant_id = $1 and state in ('STORED', 'OVERDUE', 'EXCEPTION')
     on conflict do nothing`,
    [tenantId],
  );
}

async function insertFigures(run: Run, tenantId: number): Promise<void> {
  await run("delete from order_day where tenant_id = $1", [tenantId]);
  await run(
    `insert into order_day (tenant_id, day, side, store_id, cabinet_id, started, stored, completed,
       overdue, income_fen, refund_fen, stay_minutes, openings, opened)
     select tenant_id, created_at::date, side, store_id, cabinet_id, count(*), count(stored_at),
       count(ended_at), count(*) filter (where state = 'OVERDUE'), sum(paid_principal_fen),
       sum(refunded_principal_fen), coalesce(sum(extract(epoch from ended_at - stored_at) / 60), 0)::bigint,
       2 * count(*), 2 * count(*)
     from storage_order where tenant_id = $1 group by 1, 2, 3, 4, 5`,
    [tenantId],
  );
}
