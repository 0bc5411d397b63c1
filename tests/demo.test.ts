// Demo data: created once, complete and consistent.
import { rm, stat } from "node:fs/promises";
import path from "node:path";
import { type PricingRule, priceOf } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { type OrderMoney, payStatusOf } from "@cabinet/contract/orders/order/order.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import { parseSimulatedCabinets, type SimulatedCabinets } from "@cabinet/link";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeVisit, ensureDemo } from "../apps/server/src/demo/index.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { createLog } from "../apps/server/src/platform/log.ts";
import {
  type Account,
  addresses,
  connectable,
  countAll,
  type Installation,
  openInstallation,
  readJson,
  welcome,
} from "./support/demo-installation.ts";
import { withClient } from "./support/postgres.ts";

const log = createLog("silent");

describe("demo installation", () => {
  let home: Installation;
  let first: Record<string, number>;

  beforeAll(async () => {
    home = await openInstallation();
    await ensureDemo({ ...home, log, ...addresses });
    // Autovacuum would analyze a minute later; without statistics the plans of the queries below
    // are slow.
    await withClient(home.clone.url, (client) => client.query("analyze"));
    first = await countAll(home);
  }, 300_000);
  afterAll(() => home.close());

  const many = <Row>(query: string) =>
    home.database.read("platform", (db) => db.many<Row>(sql([query])));

  it("creates all tenants, accounts, cabinets and stores", () => {
    expect(first).toMatchObject({ tenant: 6, operator: 19, cabinet: 60, store: 13 });
  });

  it("has one account per userType and tenant, in a file that only its owner can read", async () => {
    const accounts = await readJson<Account[]>(home.dataDir, "demo-accounts.json");
    expect(accounts.map(({ tenantId, userType }) => `${tenantId}/${userType}`).sort()).toEqual(
      [1, 2, 3].flatMap((tenant) => [0, 1, 2].map((type) => `${tenant}/${type}`)),
    );
    expect(Object.keys(accounts[0] ?? {}).sort()).toEqual(
      ["password", "tenantId", "userType", "username"].sort(),
    );
    expect(await welcome(home)).toHaveLength(9);
    for (const name of ["demo-accounts.json", "demo-cabinets.json"]) {
      expect((await stat(path.join(home.dataDir, name))).mode & 0o777).toBe(0o600);
    }
  });

  it("writes credentials that the simulator and the server accept", async () => {
    const file = await readJson<SimulatedCabinets>(home.dataDir, "demo-cabinets.json");
    expect(parseSimulatedCabinets(file)).toMatchObject({ ok: true });
    expect(file).toMatchObject(addresses);
    expect(await connectable(home)).toHaveLength(40);
  });

  it("second start: inserts nothing, and the cabinet file has the addresses of that start", async () => {
    const accounts = await readJson(home.dataDir, "demo-accounts.json");
    const mqtt = "mqtt://127.0.0.1:19602";
    await ensureDemo({ ...home, log, ...addresses, mqtt });
    expect(await countAll(home)).toEqual(first);
    expect(await readJson(home.dataDir, "demo-accounts.json")).toEqual(accounts);
    expect(await readJson(home.dataDir, "demo-cabinets.json")).toMatchObject({ mqtt });
    expect(await connectable(home)).toHaveLength(40);
  });

  it("lost credential files are written again with new secrets; the old ones stop working", async () => {
    const oldAccounts = await readJson<Account[]>(home.dataDir, "demo-accounts.json");
    const oldCabinets = await readJson<SimulatedCabinets>(home.dataDir, "demo-cabinets.json");
    await rm(path.join(home.dataDir, "demo-accounts.json"));
    await rm(path.join(home.dataDir, "demo-cabinets.json"));
    await ensureDemo({ ...home, log, ...addresses });
    expect(await welcome(home)).toHaveLength(9);
    expect(await welcome(home, oldAccounts)).toHaveLength(0);
    expect(await connectable(home)).toHaveLength(40);
    expect(await connectable(home, oldCabinets)).toHaveLength(0);
    expect(await countAll(home)).toEqual(first);
  });

  it("names the two screens and the inbox on which a visitor follows a parcel", async () => {
    const lines = (await describeVisit(home.database, "http://127.0.0.1:8080")).join("\n");
    const [, id] = /\/cupboard\/simulated\?id=(\d+)/.exec(lines) ?? [];
    const [, sn] = /\/m\/c\/(\w+)/.exec(lines) ?? [];
    const [, username] = /用 (\S+) 登录/.exec(lines) ?? [];
    const accounts = await readJson<{ username: string; tenantId: number }[]>(
      home.dataDir,
      "demo-accounts.json",
    );
    const account = accounts.find((each) => each.username === username);
    expect(lines).toContain("http://127.0.0.1:8080/demo/inbox");
    expect(
      await many(`
        select cabinet.id, cabinet.sn, cabinet.tenant_id, web_page.is_on from cabinet
        join web_page_setting web_page on web_page.tenant_id = cabinet.tenant_id
        where cabinet.id = ${id} and cabinet.lifecycle = 'ACTIVE' and not exists (
          select from malfunction where malfunction.cabinet_id = cabinet.id
            and malfunction.state in ('CREATED', 'ASSIGNED', 'PROCESSING'))`),
    ).toEqual([{ id: Number(id), sn, tenantId: account?.tenantId, isOn: true }]);
  });

  it("has at least four weeks of cabinet events, none in the future", async () => {
    const [span] = await many<{ days: number; ahead: number }>(`
      select extract(day from now() - min(received_at))::int as days,
        count(*) filter (where received_at > now())::int as ahead from cabinet_event`);
    expect(span?.days).toBeGreaterThanOrEqual(28);
    expect(span?.ahead).toBe(0);
  });

  it("has a DOOR_OPENED between ack and settlement of exactly the confirmed openings", async () => {
    const strays = await many(`
      select command.id from command
      left join cabinet_event on cabinet_event.tenant_id = command.tenant_id
        and cabinet_event.command_id = command.id
        and cabinet_event.kind = 'DOOR_OPENED'
        and cabinet_event.compartment_no = command.compartment_no
        and cabinet_event.side = command.side
        and cabinet_event.device_at between command.acked_at and command.settled_at
      where command.kind = 'OPEN' and (command.state = 'CONFIRMED') <> (cabinet_event.id is not null)`);
    expect(strays).toEqual([]);
  });

  it("occupancy matches the last DOOR_CLOSED; fewer than ten contradict their item sensor", async () => {
    const odd = await many<{ kinds: number }>(`
      select comp.cabinet_id, comp.no from compartment comp
      join cabinet on cabinet.tenant_id = comp.tenant_id and cabinet.id = comp.cabinet_id
      left join lateral (
        select cabinet_event.payload ->> 'item' as item from cabinet_event
        where cabinet_event.tenant_id = comp.tenant_id
          and cabinet_event.cabinet_id = comp.cabinet_id
          and cabinet_event.compartment_no = comp.no and cabinet_event.kind = 'DOOR_CLOSED'
        order by cabinet_event.id desc limit 1
      ) last on true
      where cabinet.last_seen_at is not null and cabinet.lifecycle <> 'RETIRED'
        and (comp.occupancy = 'OCCUPIED') <> (coalesce(last.item, 'EMPTY') = 'PRESENT')`);
    expect(odd).toEqual([]);
    const contradictions = await many(`
      select 1 from compartment comp where (occupancy = 'OCCUPIED' and item = 'EMPTY')
        or (occupancy = 'FREE' and item = 'PRESENT')`);
    expect(contradictions.length).toBeGreaterThan(0);
    expect(contradictions.length).toBeLessThan(10);
  });

  it("has cabinets in every lifecycle, and some that never connected", async () => {
    const found = await many<{ word: string }>(`
      select distinct lifecycle as word from cabinet union select announced_connectivity from cabinet`);
    expect(found.map(({ word }) => word).sort()).toEqual(
      ["ACTIVE", "INACTIVE", "NEVER", "OFFLINE", "PAUSED", "RETIRED"].sort(),
    );
  });

  it("first five cabinets of each tenant's list are simulated, in service and take orders", async () => {
    const sns = (await readJson<SimulatedCabinets>(home.dataDir, "demo-cabinets.json")).cabinets;
    const simulated = sns.map(({ cabinetId }) => `'${cabinetId}'`).join(", ");
    const first = await many<{ isHealthy: boolean }>(`
      select cabinet.lifecycle = 'ACTIVE' and cabinet.sn in (${simulated})
        and service.stopped_at is null
        and now() at time zone 'Asia/Shanghai' between service.starts_on and service.ends_on + 1 as is_healthy
      from (select *, row_number() over (partition by tenant_id order by sn) as nth
        from cabinet) cabinet
      left join cabinet_service service on service.tenant_id = cabinet.tenant_id
        and service.cabinet_id = cabinet.id
      where cabinet.nth <= 5`);
    expect(first).toEqual(Array(15).fill({ isHealthy: true }));
  });

  it("open malfunctions have many kinds and severities, and kinds that fit their descriptions", async () => {
    const open = await many<{ tenantId: number; kind: string; severity: string }>(`
      select tenant_id, kind, severity from malfunction
      where state in ('CREATED', 'ASSIGNED', 'PROCESSING')`);
    expect(new Set(open.map(({ severity }) => severity)).size).toBeGreaterThanOrEqual(3);
    expect(new Set(open.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(6);
    const others = open.filter(({ kind }) => kind === "OTHER").length;
    expect(others / open.length).toBeLessThan(0.25);
    for (const tenant of [1, 2, 3]) {
      const own = open.filter(({ tenantId }) => tenantId === tenant);
      expect(new Set(own.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(3);
    }
    const texts = await many<{ kind: string; description: string }>(`
      select distinct kind, description from malfunction
      where description in ('锁舌卡住，需更换电磁锁', '物品传感器不灵敏', '撬痕，等待现场确认')`);
    expect(texts.map(({ kind }) => kind).sort()).toEqual(["BOARD_FAULT", "OPEN_FAILED", "TAMPER"]);
  });

  const odd = async (query: string) => expect(await many(query)).toEqual([]);

  it("has 10,000 to 30,000 orders over three months, with every common state and payment status", async () => {
    const [span] = await many<{ orders: number; days: number; ahead: number }>(`
      select count(*)::int as orders, extract(day from now() - min(created_at))::int as days,
        count(*) filter (where created_at > now() or ended_at > now())::int as ahead
      from storage_order`);
    expect(span?.orders).toBeGreaterThan(10_000);
    expect(span?.orders).toBeLessThan(30_000);
    expect(span?.days).toBeGreaterThanOrEqual(85);
    expect(span?.ahead).toBe(0);
    const found = await many<{ word: string }>(`
      select distinct state as word from storage_order union select distinct pay_status from storage_order`);
    const words = found.map(({ word }) => word);
    for (const state of [
      "STORED",
      "OVERDUE",
      "COMPLETED",
      "CANCELLED",
      "TAKEN_BACK",
      "EXCEPTION",
    ]) {
      expect(words).toContain(state);
    }
    for (const status of ["NONE", "UNPAID", "PAID", "PARTIAL_REFUND", "REFUNDED"]) {
      expect(words).toContain(status);
    }
    expect(words).toContain("ADMIN_CLEARED");
  });

  it("journals balance, wallets and orders equal their journals, top-ups and holds have one", async () => {
    await odd(`
      select journal.id from ledger_journal journal
      join ledger_leg leg on leg.tenant_id = journal.tenant_id and leg.journal_id = journal.id
      group by journal.tenant_id, journal.id having sum(leg.amount_fen) <> 0 or count(*) < 2`);
    await odd(`
      select wallet.end_user_id from wallet join lateral (
        select sum(principal_fen) as p, sum(bonus_fen) as b,
          (array_agg(principal_after_fen order by id desc))[1] as pa,
          (array_agg(bonus_after_fen order by id desc))[1] as ba
        from ledger_journal journal where journal.tenant_id = wallet.tenant_id
          and journal.end_user_id = wallet.end_user_id) sums on true
      where (wallet.principal_fen, wallet.bonus_fen) is distinct from (sums.p, sums.b)
        or (wallet.principal_fen, wallet.bonus_fen) is distinct from (sums.pa, sums.ba)`);
    await odd(`
      select ord.id from storage_order ord left join lateral (
        select coalesce(-sum(principal_fen) filter (where kind = 'PAYMENT'), 0) as p,
          coalesce(-sum(bonus_fen) filter (where kind = 'PAYMENT'), 0) as b,
          coalesce(sum(principal_fen) filter (where kind = 'PAYMENT_REFUND'), 0) as rp,
          coalesce(sum(bonus_fen) filter (where kind = 'PAYMENT_REFUND'), 0) as rb
        from ledger_journal journal where journal.tenant_id = ord.tenant_id
          and journal.order_id = ord.id) sums on true
      where (ord.paid_principal_fen, ord.paid_bonus_fen, ord.refunded_principal_fen,
        ord.refunded_bonus_fen)
        is distinct from (sums.p, sums.b, sums.rp, sums.rb)`);
    await odd(`
      select journal.id from ledger_journal journal where journal.order_id is not null
        and not exists (
        select from storage_order ord where ord.tenant_id = journal.tenant_id
          and ord.id = journal.order_id)`);
    await odd(`
      select top_up.id from top_up left join ledger_journal journal
        on journal.tenant_id = top_up.tenant_id
        and journal.biz_type = 'TOP_UP' and journal.biz_id = top_up.id::text
        and journal.kind = 'RECHARGE'
        and (journal.principal_fen, journal.bonus_fen) = (top_up.principal_fen, top_up.bonus_fen)
        where (journal.id is null) <> (top_up.state = 'CLOSED')`);
    await odd(`
      select hold.id from wallet_hold hold left join ledger_journal journal
        on journal.tenant_id = hold.tenant_id
        and journal.biz_type = 'ORDER_HOLD' and journal.biz_id = hold.id::text
        and journal.order_id = hold.order_id
        and (-journal.principal_fen, -journal.bonus_fen) = (hold.principal_fen, hold.bonus_fen)
      where hold.state <> 'POSTED' or journal.id is null`);
  });

  it("each company has payments that reached no open top-up, with sums to show", async () => {
    const found = await many<{ kind: string; state: string; companies: number }>(`
      select kind, state, count(distinct tenant_id)::int as companies
      from reconciliation_difference group by kind, state order by kind, state`);
    const companies = 3;
    expect(found).toEqual([
      { kind: "PAID_AMOUNT", state: "OPEN", companies },
      { kind: "PAID_CLOSED", state: "OPEN", companies },
      { kind: "PAID_CLOSED", state: "RESOLVED", companies },
      { kind: "PAID_UNKNOWN", state: "OPEN", companies },
    ]);
  });

  it("cards lost one use per recorded use, and orders name the card that covered them", async () => {
    await odd(`
      select user_package.id from user_package left join lateral (
        select count(*) as n from package_use
        where package_use.tenant_id = user_package.tenant_id
          and package_use.user_package_id = user_package.id) used on true
      where user_package.uses - user_package.uses_left <> used.n`);
    await odd(`
      select ord.id from storage_order ord
      left join package_use on package_use.tenant_id = ord.tenant_id
        and package_use.order_id = ord.id
      where ord.covered_fen <> coalesce(package_use.fen, 0)
        or ord.user_package_id is distinct from package_use.user_package_id`);
    await odd(`
      select user_package.id from user_package
      left join ledger_journal journal on journal.tenant_id = user_package.tenant_id
        and journal.biz_type = 'PACKAGE_BUY' and journal.biz_id = user_package.id::text
        and -(journal.principal_fen + journal.bonus_fen) = user_package.price_fen
        where journal.id is null`);
  });

  it("each ended order has the price of its rule and the matching payment status", async () => {
    const orders = await many<
      OrderMoney & {
        state: OrderState;
        payStatus: string;
        rule: PricingRule;
        seconds: number | null;
      }
    >(`
      select state, pay_status, pricing -> 'rule' as rule, price_fen,
        covered_fen, waived_fen,
        paid_principal_fen, paid_bonus_fen,
        refunded_principal_fen, refunded_bonus_fen,
        extract(epoch from coalesce(order_event.at, ended_at) - stored_at)::float8 as seconds
      from storage_order ord left join lateral (
        select max(at) as at from order_event where order_event.tenant_id = ord.tenant_id
          and order_event.order_id = ord.id
          and order_event.kind = 'OPEN_REQUESTED' and order_event.at > ord.stored_at) order_event
          on true
      where state in ('COMPLETED', 'TAKEN_BACK', 'CANCELLED')`);
    for (const order of orders) {
      const { rule, seconds } = order;
      const price = seconds === null ? 0 : priceOf(rule, seconds / 60);
      expect(order.priceFen).toBe(price);
      expect(order.payStatus).toBe(payStatusOf(order));
    }
    expect(orders.length).toBeGreaterThan(10_000);
  });

  it("order events lead without gaps from PENDING to the order's state", async () => {
    await odd(`
      select ord.id from storage_order ord join lateral (
        select (array_agg(to_state order by id desc) filter (where to_state is not null))[1] as last,
          (array_agg(to_state order by id) filter (where to_state is not null))[1] as first,
          count(*) filter (where kind = 'CREATED') as created
        from order_event where order_event.tenant_id = ord.tenant_id
          and order_event.order_id = ord.id) steps on true
      where steps.last <> ord.state or steps.first <> 'PENDING' or steps.created <> 1`);
    await odd(`
      select step.id from (
        select id, kind, from_state, lag(to_state) over w as before, at, lag(at) over w as earlier
        from order_event where to_state is not null
        window w as (partition by tenant_id, order_id order by id)) step
      where step.kind <> 'CREATED' and (step.from_state <> step.before or step.at < step.earlier)`);
  });

  it("has one live order for each occupied compartment, and no other", async () => {
    await odd(`
      select comp.cabinet_id, comp.no from compartment comp full join live_order
        on live_order.tenant_id = comp.tenant_id and live_order.cabinet_id = comp.cabinet_id
          and live_order.compartment_no = comp.no
      where (comp.occupancy = 'OCCUPIED') is distinct from (live_order.order_id is not null)`);
    await odd(`
      select ord.id from storage_order ord
      left join live_order on live_order.tenant_id = ord.tenant_id and live_order.order_id = ord.id
        and live_order.cabinet_id = ord.cabinet_id
        and live_order.compartment_no = ord.compartment_no
      where (ord.state in ('PENDING', 'DEPOSITING', 'STORED', 'OVERDUE', 'PICKING', 'EXCEPTION'))
        <> (live_order.order_id is not null)`);
  });

  it("each order's doors were opened by commands that name it, on the side that the purpose has", async () => {
    await odd(`
      select command.id from command
      left join storage_order ord on ord.tenant_id = command.tenant_id and ord.id = command.order_id
        and ord.cabinet_id = command.cabinet_id and ord.compartment_no = command.compartment_no
      where (command.actor_kind = 'END_USER' and command.order_id is null)
        or (command.order_id is not null and (ord.id is null
          or (command.side = 'BACK') <> (ord.side = 'DOUBLE' and command.purpose <> 'PICKUP')))`);
    await odd(`
      select ord.id from storage_order ord where ord.stored_at is not null and not exists (
        select from command where command.tenant_id = ord.tenant_id and command.order_id = ord.id
          and command.purpose = 'DEPOSIT' and command.state = 'CONFIRMED')`);
  });

  it("daily figures equal the sums of that day's events", async () => {
    const day = (at: string) => `(${at} at time zone 'Asia/Shanghai')::date`;
    await odd(`
      with happened as (
        select tenant_id, ${day("created_at")} as day, cabinet_id, 1 as started, 0 as stored,
          0 as completed, 0 as overdue, 0 as income, 0 as bonus, 0 as refund, 0 as stay,
          0 as openings, 0 as opened from storage_order
        union all select tenant_id, ${day("stored_at")}, cabinet_id, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0
          from storage_order where stored_at is not null
        union all select tenant_id, ${day("ended_at")}, cabinet_id, 0, 0, 1, 0, 0, 0, 0,
          ceil(extract(epoch from ended_at - stored_at) / 60), 0, 0
          from storage_order where stored_at is not null and ended_at is not null
        union all select ord.tenant_id, ${day("order_event.at")}, cabinet_id, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0
          from order_event join storage_order ord on ord.tenant_id = order_event.tenant_id
            and ord.id = order_event.order_id
          where order_event.kind = 'OVERDUE'
        union all select ord.tenant_id, ${day("journal.at")}, cabinet_id, 0, 0, 0, 0,
          case when journal.kind = 'PAYMENT' then -(journal.principal_fen + journal.bonus_fen)
            else 0 end,
          case when journal.kind = 'PAYMENT' then -journal.bonus_fen else 0 end,
          case when journal.kind = 'PAYMENT_REFUND' then journal.principal_fen + journal.bonus_fen
            else 0 end, 0, 0, 0
          from ledger_journal journal join storage_order ord on ord.tenant_id = journal.tenant_id
            and ord.id = journal.order_id
        union all select tenant_id, ${day("settled_at")}, cabinet_id, 0, 0, 0, 0, 0, 0, 0, 0, 1,
          (state = 'CONFIRMED')::int from command where order_id is not null
      ), calculated as (
        select tenant_id, day, cabinet_id, sum(started) as started, sum(stored) as stored,
          sum(completed) as completed, sum(overdue) as overdue, sum(income) as income,
          sum(bonus) as bonus, sum(refund) as refund, sum(stay) as stay,
          sum(openings) as openings, sum(opened) as opened
        from happened group by 1, 2, 3
      )
      select * from calculated full join order_day using (tenant_id, day, cabinet_id)
      where (calculated.started, calculated.stored, calculated.completed, calculated.overdue,
        calculated.income, calculated.bonus, calculated.refund, calculated.stay,
          calculated.openings, calculated.opened)
        is distinct from (order_day.started, order_day.stored, order_day.completed,
          order_day.overdue, order_day.income_fen, order_day.bonus_fen,
          order_day.refund_fen, order_day.stay_minutes, order_day.openings, order_day.opened)
      limit 5`);
  });
});
