// Demo data: created once, complete, deterministic and consistent, also after a SIGKILL during
// creation.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type PricingRule, priceOf } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import {
  type OrderMoney,
  type OrderState,
  payStatusOf,
} from "@cabinet/contract/orders/order/order.rules.ts";
import { parseSimulatedCabinets, type SimulatedCabinets } from "@cabinet/link";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY, planCabinets, type Span } from "../apps/server/src/demo/fleet/cabinet.ts";
import { ensureDemo } from "../apps/server/src/demo/index.ts";
import { writeStory } from "../apps/server/src/demo/orders/story.ts";
import { sql } from "../apps/server/src/platform/db/db.ts";
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
  }, 120_000);
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

  it("has at least four weeks of cabinet events, none in the future", async () => {
    const [span] = await many<{ days: number; ahead: number }>(`
      select extract(day from now() - min(received_at))::int as days,
        count(*) filter (where received_at > now())::int as ahead from cabinet_event`);
    expect(span?.days).toBeGreaterThanOrEqual(28);
    expect(span?.ahead).toBe(0);
  });

  it("has a DOOR_OPENED between ack and settlement of exactly the confirmed openings", async () => {
    const strays = await many(`
      select d.id from command d
      left join cabinet_event e on e.tenant_id = d.tenant_id and e.command_id = d.id
        and e.kind = 'DOOR_OPENED' and e.compartment_no = d.compartment_no and e.side = d.side
        and e.device_at between d.acked_at and d.settled_at
      where d.kind = 'OPEN' and (d.state = 'CONFIRMED') <> (e.id is not null)`);
    expect(strays).toEqual([]);
  });

  it("occupancy matches the last DOOR_CLOSED; fewer than ten contradict their item sensor", async () => {
    const odd = await many<{ kinds: number }>(`
      select k.cabinet_id, k.no from compartment k
      join cabinet c on c.tenant_id = k.tenant_id and c.id = k.cabinet_id
      left join lateral (
        select e.payload ->> 'item' as item from cabinet_event e
        where e.tenant_id = k.tenant_id and e.cabinet_id = k.cabinet_id
          and e.compartment_no = k.no and e.kind = 'DOOR_CLOSED'
        order by e.id desc limit 1
      ) last on true
      where c.last_seen_at is not null and c.lifecycle <> 'RETIRED'
        and (k.occupancy = 'OCCUPIED') <> (coalesce(last.item, 'EMPTY') = 'PRESENT')`);
    expect(odd).toEqual([]);
    const contradictions = await many(`
      select 1 from compartment k where (occupancy = 'OCCUPIED' and item = 'EMPTY')
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
      select c.lifecycle = 'ACTIVE' and c.sn in (${simulated}) and v.stopped_at is null
        and now() at time zone 'Asia/Shanghai' between v.starts_on and v.ends_on + 1 as "isHealthy"
      from (select *, row_number() over (partition by tenant_id order by sn) as nth from cabinet) c
      left join cabinet_service v on v.tenant_id = c.tenant_id and v.cabinet_id = c.id
      where c.nth <= 5`);
    expect(first).toEqual(Array(15).fill({ isHealthy: true }));
  });

  it("open malfunctions have many kinds and severities, and kinds that fit their descriptions", async () => {
    const open = await many<{ tenantId: number; kind: string; severity: string }>(`
      select tenant_id as "tenantId", kind, severity from malfunction
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
      select j.id from ledger_journal j join ledger_leg l on l.tenant_id = j.tenant_id and l.journal_id = j.id
      group by j.tenant_id, j.id having sum(l.amount_fen) <> 0 or count(*) < 2`);
    await odd(`
      select w.end_user_id from wallet w join lateral (
        select sum(principal_fen) as p, sum(bonus_fen) as b,
          (array_agg(principal_after_fen order by id desc))[1] as pa,
          (array_agg(bonus_after_fen order by id desc))[1] as ba
        from ledger_journal j where j.tenant_id = w.tenant_id and j.end_user_id = w.end_user_id) s on true
      where (w.principal_fen, w.bonus_fen) is distinct from (s.p, s.b)
        or (w.principal_fen, w.bonus_fen) is distinct from (s.pa, s.ba)`);
    await odd(`
      select o.id from storage_order o left join lateral (
        select coalesce(-sum(principal_fen) filter (where kind = 'PAYMENT'), 0) as p,
          coalesce(-sum(bonus_fen) filter (where kind = 'PAYMENT'), 0) as b,
          coalesce(sum(principal_fen) filter (where kind = 'PAYMENT_REFUND'), 0) as rp,
          coalesce(sum(bonus_fen) filter (where kind = 'PAYMENT_REFUND'), 0) as rb
        from ledger_journal j where j.tenant_id = o.tenant_id and j.order_id = o.id) s on true
      where (o.paid_principal_fen, o.paid_bonus_fen, o.refunded_principal_fen, o.refunded_bonus_fen)
        is distinct from (s.p, s.b, s.rp, s.rb)`);
    await odd(`
      select j.id from ledger_journal j where j.order_id is not null and not exists (
        select from storage_order o where o.tenant_id = j.tenant_id and o.id = j.order_id)`);
    await odd(`
      select t.id from top_up t left join ledger_journal j on j.tenant_id = t.tenant_id
        and j.biz_type = 'TOP_UP' and j.biz_id = t.id::text and j.kind = 'RECHARGE'
        and (j.principal_fen, j.bonus_fen) = (t.principal_fen, t.bonus_fen) where j.id is null`);
    await odd(`
      select h.id from wallet_hold h left join ledger_journal j on j.tenant_id = h.tenant_id
        and j.biz_type = 'ORDER_HOLD' and j.biz_id = h.id::text and j.order_id = h.order_id
        and (-j.principal_fen, -j.bonus_fen) = (h.principal_fen, h.bonus_fen)
      where h.state <> 'POSTED' or j.id is null`);
  });

  it("cards lost one use per recorded use, and orders name the card that covered them", async () => {
    await odd(`
      select u.id from user_package u left join lateral (
        select count(*) as n from package_use x
        where x.tenant_id = u.tenant_id and x.user_package_id = u.id) s on true
      where u.uses - u.uses_left <> s.n`);
    await odd(`
      select o.id from storage_order o
      left join package_use x on x.tenant_id = o.tenant_id and x.order_id = o.id
      where o.covered_fen <> coalesce(x.fen, 0)
        or o.user_package_id is distinct from x.user_package_id`);
    await odd(`
      select u.id from user_package u left join ledger_journal j on j.tenant_id = u.tenant_id
        and j.biz_type = 'PACKAGE_BUY' and j.biz_id = u.id::text
        and -(j.principal_fen + j.bonus_fen) = u.price_fen where j.id is null`);
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
      select state, pay_status as "payStatus", pricing -> 'rule' as rule, price_fen as "priceFen",
        covered_fen as "coveredFen", waived_fen as "waivedFen",
        paid_principal_fen as "paidPrincipalFen", paid_bonus_fen as "paidBonusFen",
        refunded_principal_fen as "refundedPrincipalFen", refunded_bonus_fen as "refundedBonusFen",
        extract(epoch from coalesce(e.at, ended_at) - stored_at)::float8 as seconds
      from storage_order o left join lateral (
        select max(at) as at from order_event e where e.tenant_id = o.tenant_id and e.order_id = o.id
          and e.kind = 'OPEN_REQUESTED' and e.at > o.stored_at) e on true
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
      select o.id from storage_order o join lateral (
        select (array_agg(to_state order by id desc) filter (where to_state is not null))[1] as last,
          (array_agg(to_state order by id) filter (where to_state is not null))[1] as first,
          count(*) filter (where kind = 'CREATED') as created
        from order_event e where e.tenant_id = o.tenant_id and e.order_id = o.id) s on true
      where s.last <> o.state or s.first <> 'PENDING' or s.created <> 1`);
    await odd(`
      select e.id from (
        select id, kind, from_state, lag(to_state) over w as before, at, lag(at) over w as earlier
        from order_event where to_state is not null
        window w as (partition by tenant_id, order_id order by id)) e
      where e.kind <> 'CREATED' and (e.from_state <> e.before or e.at < e.earlier)`);
  });

  it("has one live order for each occupied compartment, and no other", async () => {
    await odd(`
      select k.cabinet_id, k.no from compartment k full join live_order l
        on l.tenant_id = k.tenant_id and l.cabinet_id = k.cabinet_id and l.compartment_no = k.no
      where (k.occupancy = 'OCCUPIED') is distinct from (l.order_id is not null)`);
    await odd(`
      select o.id from storage_order o
      left join live_order l on l.tenant_id = o.tenant_id and l.order_id = o.id
        and l.cabinet_id = o.cabinet_id and l.compartment_no = o.compartment_no
      where (o.state in ('PENDING', 'DEPOSITING', 'STORED', 'OVERDUE', 'PICKING', 'EXCEPTION'))
        <> (l.order_id is not null)`);
  });

  it("each order's doors were opened by commands that name it, on the side that the purpose has", async () => {
    await odd(`
      select c.id from command c
      left join storage_order o on o.tenant_id = c.tenant_id and o.id = c.order_id
        and o.cabinet_id = c.cabinet_id and o.compartment_no = c.compartment_no
      where (c.actor_kind = 'END_USER' and c.order_id is null)
        or (c.order_id is not null and (o.id is null
          or (c.side = 'BACK') <> (o.side = 'DOUBLE' and c.purpose <> 'PICKUP')))`);
    await odd(`
      select o.id from storage_order o where o.stored_at is not null and not exists (
        select from command c where c.tenant_id = o.tenant_id and c.order_id = o.id
          and c.purpose = 'DEPOSIT' and c.state = 'CONFIRMED')`);
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
        union all select o.tenant_id, ${day("e.at")}, cabinet_id, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0
          from order_event e join storage_order o on o.tenant_id = e.tenant_id and o.id = e.order_id
          where e.kind = 'OVERDUE'
        union all select o.tenant_id, ${day("j.at")}, cabinet_id, 0, 0, 0, 0,
          case when j.kind = 'PAYMENT' then -(j.principal_fen + j.bonus_fen) else 0 end,
          case when j.kind = 'PAYMENT' then -j.bonus_fen else 0 end,
          case when j.kind = 'PAYMENT_REFUND' then j.principal_fen + j.bonus_fen else 0 end, 0, 0, 0
          from ledger_journal j join storage_order o on o.tenant_id = j.tenant_id and o.id = j.order_id
        union all select tenant_id, ${day("settled_at")}, cabinet_id, 0, 0, 0, 0, 0, 0, 0, 0, 1,
          (state = 'CONFIRMED')::int from command where order_id is not null
      ), calculated as (
        select tenant_id, day, cabinet_id, sum(started) as started, sum(stored) as stored,
          sum(completed) as completed, sum(overdue) as overdue, sum(income) as income,
          sum(bonus) as bonus, sum(refund) as refund, sum(stay) as stay,
          sum(openings) as openings, sum(opened) as opened
        from happened group by 1, 2, 3
      )
      select * from calculated r full join order_day d using (tenant_id, day, cabinet_id)
      where (r.started, r.stored, r.completed, r.overdue, r.income, r.bonus, r.refund, r.stay,
          r.openings, r.opened)
        is distinct from (d.started, d.stored, d.completed, d.overdue, d.income_fen, d.bonus_fen,
          d.refund_fen, d.stay_minutes, d.openings, d.opened)
      limit 5`);
  });
});

describe("demo stories", () => {
  const today = Date.parse("2026-11-20T16:00:00Z");
  const storiesAt = (now: number) =>
    planCabinets(now, today).map(
      (cabinet, index) =>
        cabinet.life && writeStory(cabinet, cabinet.life as Span, null, index * 1000, today).events,
    );

  it("same input: same events; the time of day does not change what happened days before", () => {
    const noon = storiesAt(today + DAY / 2);
    expect(storiesAt(today + DAY / 2)).toEqual(noon);
    const evening = storiesAt(today + DAY * 0.8);
    const pastOf = (events: (typeof noon)[number] = null) =>
      events?.filter(({ at, kind }) => at < today - 5 * DAY && kind.startsWith("DOOR"));
    const simulated = planCabinets(today, today).map(({ isSimulated }) => isSimulated);
    for (const [index, isSimulated] of simulated.entries()) {
      if (isSimulated) expect(pastOf(evening[index])).toEqual(pastOf(noon[index]));
    }
  });
});

/** Cheap query: it is polled while the data is created. */
function isMade({ database }: Installation): Promise<unknown> {
  return database.read("platform", (db) => db.maybe(sql`select 1 from cabinet limit 1`));
}

describe("demo creation killed with SIGKILL", () => {
  const source = path.join(import.meta.dirname, "../apps/server/src");
  const program = `
    import { ensureDemo } from ${JSON.stringify(path.join(source, "demo/index.ts"))};
    import { Database } from ${JSON.stringify(path.join(source, "platform/db.ts"))};
    import { openFileStore } from ${JSON.stringify(path.join(source, "platform/files.ts"))};
    import { createLog } from ${JSON.stringify(path.join(source, "platform/log.ts"))};
    import { openVault } from ${JSON.stringify(path.join(source, "platform/secrets.ts"))};
    const { url, dataDir, addresses } = JSON.parse(process.env.DEMO_TEST ?? "");
    const database = new Database(url);
    const vault = await openVault(dataDir);
    const files = await openFileStore({ dataDir, s3: null });
    const log = createLog("silent");
    process.send("begins");
    await ensureDemo({ database, vault, files, dataDir, log, ...addresses });
    await database.close();
    process.disconnect();`;

  function run({ clone, dataDir }: Installation) {
    return spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
      env: { ...process.env, DEMO_TEST: JSON.stringify({ url: clone.url, dataDir, addresses }) },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
  }

  async function killWhen(home: Installation, reached: () => Promise<unknown>): Promise<void> {
    const child = run(home);
    const exited = once(child, "exit");
    await once(child, "message");
    await Promise.race([reached(), exited]);
    child.kill("SIGKILL");
    await exited;
  }

  it("next start: data is complete and the credential files are right", async () => {
    const home = await openInstallation();
    try {
      const empty = await countAll(home);
      for (const delayMs of [300, 1500]) {
        await killWhen(home, () => sleep(delayMs));
        // One transaction: all rows if the machine was that fast, otherwise none.
        const counts = await countAll(home);
        if (counts.cabinet === 0) expect(counts).toEqual(empty);
      }
      // Kill after the commit and before the files are written.
      await killWhen(home, async () => {
        while (!(await isMade(home))) await sleep(5);
      });
      const made = await countAll(home);
      const child = run(home);
      const [exitCode] = await once(child, "exit");
      expect(exitCode).toBe(0);
      expect(await countAll(home)).toMatchObject({ cabinet: 60, operator: 19, ...made });
      expect(await welcome(home)).toHaveLength(9);
      expect(await connectable(home)).toHaveLength(40);
    } finally {
      await home.close();
    }
  }, 120_000);
});
