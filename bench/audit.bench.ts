// Benchmarks the audit log: entries per second with and without the hash chain, and chain checks.
import pg from "pg";
import { type Database, openDatabase } from "../apps/server/src/platform/db/db.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import type { BenchServer } from "./bench-server.ts";
import { type Figure, median } from "./figures.ts";

const CONNECTIONS = [1, 8];
const ROUNDS = 5;
const SECONDS = 2;
const CHECKED = 5_000;
/** Minimum ratio with/without chain: the chain serializes the commits of one tenant's writers. */
const GOALS: Record<number, number> = { 1: 0.7, 8: 0.3 };

export async function benchAudit(benchServer: BenchServer): Promise<Figure[]> {
  const database = openDatabase(benchServer.databaseUrl, { max: 12 });
  const owner = new pg.Client({ connectionString: benchServer.databaseUrl });
  await owner.connect();
  const chain = (word: "enable" | "disable") =>
    owner.query(`alter table audit_log ${word} trigger entry_chained`);
  // Ids of tenants that do not exist, so that no real audit log is touched.
  let nextTenantId = 1_500_000_000;
  const figures: Figure[] = [];
  try {
    for (const connections of CONNECTIONS) {
      await writeEntries(database, nextTenantId++, connections);
      const rates = { with: [] as number[], without: [] as number[] };
      for (let round = 0; round < ROUNDS; round++) {
        await chain("disable");
        rates.without.push(await writeEntries(database, nextTenantId++, connections));
        await chain("enable");
        rates.with.push(await writeEntries(database, nextTenantId++, connections));
      }
      const part = `操作审计，同一租户 ${connections} 个写入者`;
      const ratios = rates.with.map((rate, round) => rate / (rates.without[round] ?? Number.NaN));
      figures.push(
        { part, name: "不带校验链", value: median(rates.without), unit: "条/秒" },
        { part, name: "带校验链", value: median(rates.with), unit: "条/秒" },
        {
          part,
          name: "带链 ÷ 不带链",
          value: median(ratios),
          unit: "倍",
          goal: { atLeast: GOALS[connections] ?? 0 },
        },
      );
    }
    figures.push(await measureCheck(database, nextTenantId));
  } finally {
    await chain("enable");
    await owner.end();
    await database.close();
  }
  return figures;
}

const entry = (tenantId: number, n: number) => sql`
  insert into audit_log (tenant_id, actor_tenant_id, actor_id, actor_name, call, summary, target,
    reason, before, after, address, request_id)
  values (${tenantId}, ${tenantId}, 1, 'bench', 'PUT /admin/v1/store/update/{id}', '编辑门店',
    ${`门店 ${n}`}, '核对资料', ${JSON.stringify({ n, openingHours: "08:00-20:00" })},
    ${JSON.stringify({ n, openingHours: "07:00-23:00" })}, '203.0.113.7', ${`bench-${n}`})`;

/** Entries per second from `connections` concurrent writers, one transaction per entry. */
async function writeEntries(
  database: Database,
  tenantId: number,
  connections: number,
): Promise<number> {
  const end = performance.now() + SECONDS * 1_000;
  let written = 0;
  const writer = async () => {
    while (performance.now() < end) {
      await database.transaction({ tenantId }, (db) => db.run(entry(tenantId, written)));
      written++;
    }
  };
  await Promise.all(Array.from({ length: connections }, writer));
  return written / SECONDS;
}

/** Recomputes the hashes of `CHECKED` links and entries with the console check's expression. */
async function measureCheck(database: Database, tenantId: number): Promise<Figure> {
  await database.transaction({ tenantId }, async (db) => {
    for (let n = 0; n < CHECKED; n++) await db.run(entry(tenantId, n));
  });
  const begin = performance.now();
  const { whole } = await database.read({ tenantId }, (db) =>
    db.one<{ whole: boolean }>(sql`
      select bool_and(chained.hash = audit_hash(chained.previous, chained.seq, audit)) as whole
      from (select link.*, lag(link.hash, 1, '') over (order by link.seq) as previous
        from audit_link link where link.tenant_id = ${tenantId}) chained
      join audit_log audit on audit.tenant_id = chained.tenant_id and audit.id = chained.entry_id`),
  );
  if (!whole) throw new Error("the chain is broken");
  const seconds = (performance.now() - begin) / 1_000;
  return { part: "操作审计", name: "校验", value: CHECKED / seconds, unit: "条/秒" };
}
