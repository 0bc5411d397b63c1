// The demo: made once and whole, the same each time, its files right or remade, also after a kill.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseSimulatedCabinets, type SimulatedCabinets } from "@cabinet/link";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY, planCabinets, type Span } from "../apps/server/src/demo/cabinet.ts";
import { ensureDemo } from "../apps/server/src/demo/index.ts";
import { tellStory } from "../apps/server/src/demo/story.ts";
import { verifyPassword } from "../apps/server/src/features/auth/password.ts";
import { secretOwner } from "../apps/server/src/features/device/secret.sql.ts";
import { ensureTenant } from "../apps/server/src/features/tenant/index.ts";
import { Database, sql } from "../apps/server/src/platform/db.ts";
import type { FileStore } from "../apps/server/src/platform/file-store.ts";
import { openFileStore } from "../apps/server/src/platform/files.ts";
import { createLog } from "../apps/server/src/platform/log.ts";
import { openVault, type Vault } from "../apps/server/src/platform/secrets.ts";
import { cloneDatabase, type TestDatabase } from "./support/postgres.ts";

const log = createLog("silent");
const addresses = { server: "http://127.0.0.1:19600", mqtt: "mqtt://127.0.0.1:19601" };

interface Installation {
  clone: TestDatabase;
  database: Database;
  dataDir: string;
  vault: Vault;
  files: FileStore;
  close(): Promise<void>;
}

async function openInstallation(): Promise<Installation> {
  const clone = await cloneDatabase();
  const database = new Database(clone.url, { max: 3 });
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "demo-test-"));
  await database.transaction("platform", (db) => ensureTenant(db, { id: 1, name: "平台" }));
  return {
    clone,
    database,
    dataDir,
    vault: await openVault(dataDir),
    files: await openFileStore({ dataDir, s3: null }),
    async close() {
      await database.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

const counted = [
  "tenant",
  "operator",
  "operator_store",
  "store",
  "cabinet_model",
  "cabinet",
  "compartment",
  "command",
  "cabinet_event",
  "malfunction",
  "announcement",
] as const;

async function countAll({ database }: Installation): Promise<Record<string, number>> {
  const counts = sql([
    `select ${counted.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(", ")}`,
  ]);
  return database.read("platform", (db) => db.one(counts));
}

type Account = { username: string; password: string; userType: number; tenantId: number };

async function readJson<Content>(dataDir: string, name: string): Promise<Content> {
  return JSON.parse(await readFile(path.join(dataDir, name), "utf8")) as Content;
}

/** Of the accounts in the file, those whose password is right. */
async function welcome({ database, dataDir }: Installation, accounts?: Account[]) {
  const listed = accounts ?? (await readJson<Account[]>(dataDir, "demo-accounts.json"));
  const names: string[] = [];
  for (const { username, password } of listed) {
    const { hash } = await database.read("platform", (db) =>
      db.one<{ hash: string }>(
        sql`select password_hash as hash from operator where username = ${username}`,
      ),
    );
    if (await verifyPassword(password, hash)) names.push(username);
  }
  return names;
}

/** Of the cabinets in the file, those whose secret is the one in the database. */
async function connectable({ database, dataDir, vault }: Installation, file?: SimulatedCabinets) {
  const listed = file ?? (await readJson<SimulatedCabinets>(dataDir, "demo-cabinets.json"));
  const rows = await database.read("platform", (db) =>
    db.many<{ sn: string; kid: string; sealed: Buffer }>(sql`
      select c.sn, s.kid, s.sealed_secret as sealed
      from cabinet_secret s join cabinet c on c.tenant_id = s.tenant_id and c.id = s.cabinet_id`),
  );
  const secretOf = new Map(
    rows.map(({ sn, kid, sealed }) => [sn, vault.open(sealed, secretOwner(sn, kid))]),
  );
  return listed.cabinets.filter(({ cabinetId, secret }) => secretOf.get(cabinetId) === secret);
}

describe("the demo of an installation", () => {
  let home: Installation;
  let first: Record<string, number>;
  let tookMs: number;

  beforeAll(async () => {
    home = await openInstallation();
    const startedAt = Date.now();
    await ensureDemo({ ...home, log, ...addresses });
    tookMs = Date.now() - startedAt;
    first = await countAll(home);
  });
  afterAll(() => home.close());

  const many = <Row>(query: string) =>
    home.database.read("platform", (db) => db.many<Row>(sql([query])));

  it("is made within seconds", () => {
    expect(tookMs).toBeLessThan(30_000);
    expect(first).toMatchObject({ tenant: 3, operator: 9, cabinet: 60, store: 13 });
  });

  it("has one account per userType and tenant, in a file for its owner alone", async () => {
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

  it("gives credentials that simulators and server agree on", async () => {
    const file = await readJson<SimulatedCabinets>(home.dataDir, "demo-cabinets.json");
    expect(parseSimulatedCabinets(file)).toMatchObject({ ok: true });
    expect(file).toMatchObject(addresses);
    expect(await connectable(home)).toHaveLength(40);
  });

  it("is not made twice; addresses follow the present start", async () => {
    const accounts = await readJson(home.dataDir, "demo-accounts.json");
    const mqtt = "mqtt://127.0.0.1:19602";
    await ensureDemo({ ...home, log, ...addresses, mqtt });
    expect(await countAll(home)).toEqual(first);
    expect(await readJson(home.dataDir, "demo-accounts.json")).toEqual(accounts);
    expect(await readJson(home.dataDir, "demo-cabinets.json")).toMatchObject({ mqtt });
    expect(await connectable(home)).toHaveLength(40);
  });

  it("makes a lost file anew, with new secrets", async () => {
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

  it("tells weeks of history that has happened", async () => {
    const [span] = await many<{ days: number; ahead: number }>(`
      select extract(day from now() - min(received_at))::int as days,
        count(*) filter (where received_at > now())::int as ahead from cabinet_event`);
    expect(span?.days).toBeGreaterThanOrEqual(28);
    expect(span?.ahead).toBe(0);
  });

  it("has doors that opened for every confirmed opening, while it was being carried out", async () => {
    const strays = await many(`
      select d.id from command d
      left join cabinet_event e on e.tenant_id = d.tenant_id and e.command_id = d.id
        and e.kind = 'DOOR_OPENED' and e.compartment_no = d.compartment_no and e.side = d.side
        and e.device_at between d.acked_at and d.settled_at
      where d.kind = 'OPEN' and (d.state = 'CONFIRMED') <> (e.id is not null)`);
    expect(strays).toEqual([]);
  });

  it("has cells as their last closed door left them, but for the few that contradict", async () => {
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

  it("shows every lifecycle and cabinets that never connected", async () => {
    const found = await many<{ word: string }>(`
      select distinct lifecycle as word from cabinet union select announced_connectivity from cabinet`);
    expect(found.map(({ word }) => word).sort()).toEqual(
      ["ACTIVE", "INACTIVE", "NEVER", "OFFLINE", "PAUSED", "RETIRED"].sort(),
    );
  });
});

describe("the stories of the demo", () => {
  const today = Date.parse("2026-11-20T16:00:00Z");
  const tell = (now: number) =>
    planCabinets(now, today).map(
      (cabinet, index) =>
        cabinet.life && tellStory(cabinet, cabinet.life as Span, null, index * 1000, today).events,
    );

  it("are the same each time, and the past does not depend on the hour", () => {
    const noon = tell(today + DAY / 2);
    expect(tell(today + DAY / 2)).toEqual(noon);
    const evening = tell(today + DAY * 0.8);
    const pastOf = (events: (typeof noon)[number] = null) =>
      events?.filter(({ at, kind }) => at < today - 5 * DAY && kind.startsWith("DOOR"));
    const simulated = planCabinets(today, today).map(({ isSimulated }) => isSimulated);
    for (const [index, isSimulated] of simulated.entries()) {
      if (isSimulated) expect(pastOf(evening[index])).toEqual(pastOf(noon[index]));
    }
  });
});

describe("a demo that is killed while it is made", () => {
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

  it("is whole at the next start, with files that are right", async () => {
    const home = await openInstallation();
    try {
      const empty = await countAll(home);
      for (const delayMs of [300, 1500]) {
        await killWhen(home, () => sleep(delayMs));
        // Whole, if the machine was that quick; else nothing at all.
        const counts = await countAll(home);
        if (counts.cabinet === 0) expect(counts).toEqual(empty);
      }
      // Between the commit and the files.
      await killWhen(home, async () => {
        while ((await countAll(home)).cabinet === 0) await sleep(5);
      });
      const made = await countAll(home);
      const child = run(home);
      const [exitCode] = await once(child, "exit");
      expect(exitCode).toBe(0);
      expect(await countAll(home)).toMatchObject({ cabinet: 60, operator: 9, ...made });
      expect(await welcome(home)).toHaveLength(9);
      expect(await connectable(home)).toHaveLength(40);
    } finally {
      await home.close();
    }
  }, 120_000);
});
