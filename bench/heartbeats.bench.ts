// Measures what heartbeats write: WAL bytes and HOT share of the cabinet's row, beside a row of the link's columns alone.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import {
  lockReportingCabinets,
  saveChanges,
} from "../apps/server/src/features/link/device/reports/report.sql.ts";
import { ReportChanges } from "../apps/server/src/features/link/device/reports/report-changes.flow.ts";
import type { Database, Db } from "../apps/server/src/platform/db/db.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { type Figure, median } from "./figures.ts";
import { openLoadServer } from "./load-server.ts";

const CABINETS = Number(process.env.BENCH_CABINETS ?? 10_000);
/** Reports that a busy gateway stores together. */
const BATCH = 50;
const ROUNDS = 5;
/** Statistics of a session reach the catalogue within a second after its last transaction. */
const STATISTICS_MS = 2_000;

interface Batch {
  tenantId: number;
  ids: number[];
}

export async function benchHeartbeats(folder: string): Promise<Figure[]> {
  const { database, databaseUrl, close } = await openLoadServer(folder, { cabinets: CABINETS });
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    const batches = await batchesOf(database);
    await prepareRows(owner);
    const wide = await measure(owner, "cabinet", () =>
      each(batches, (it) =>
        database.transaction({ tenantId: it.tenantId }, (db) => storeHeartbeats(db, it)),
      ),
    );
    const narrow = await measure(owner, "narrow_cabinet", () =>
      each(batches, (it) => beatNarrow(owner, it)),
    );
    const part = `心跳，${CABINETS.toLocaleString("zh-CN")} 台，每批 ${BATCH} 台`;
    return [
      { part, name: "一次心跳的 WAL", value: wide.walBytes, unit: "字节" },
      { part, name: "只有连接列的窄表", value: narrow.walBytes, unit: "字节" },
      {
        part,
        name: "宽表 ÷ 窄表",
        value: wide.walBytes / narrow.walBytes,
        unit: "倍",
        goal: { atMost: 1.5 },
      },
      { part, name: "HOT 更新", value: wide.hotPercent, unit: "%", goal: { atLeast: 95 } },
    ];
  } finally {
    await owner.end();
    await close();
  }
}

async function batchesOf(database: Database): Promise<Batch[]> {
  return database.transaction("platform", (db) =>
    db.many<Batch>(sql`
      select tenant_id, array_agg(id order by id) as ids
      from (select tenant_id, id, (row_number() over (partition by tenant_id order by id) - 1)
          / ${BATCH}::int as batch from cabinet) numbered
      group by tenant_id, batch order by batch, tenant_id`),
  );
}

/** Rows as wide as those of working cabinets, and a table with the link's columns alone. */
async function prepareRows(owner: pg.Client): Promise<void> {
  await owner.query(`
    update cabinet set place = '上海市浦东新区世纪大道 100 号一层大堂', service_phone = '4008000000',
      longitude = 121.5, latitude = 31.2, opening_hours = '00:00-24:00',
      desired_config = '{"heartbeatSeconds":60,"lightOn":"18:00","lightOff":"06:00","volume":5}',
      reported_config = '{"heartbeatSeconds":60,"lightOn":"18:00","lightOff":"06:00","volume":5}',
      reported_config_version = 1, reported_config_boot_no = 3, reported_config_n = 2,
      connection_nonce = md5(id::text), connection_kid = 'load', is_greeted = true,
      gateway_id = 'gateway-1', birth_nonce = md5(id::text), birth_boot_no = 3, birth_n = 1,
      last_seen_at = now(), offline_at = now() + interval '3 minutes',
      announced_connectivity = 'ONLINE', boot_no = 3, last_n = 100, heartbeat_boot_no = 3,
      heartbeat_mono = 1000, app_version = '1.4.2', signal_dbm = -71, temperature_c = 24.5,
      clock_skew_seconds = 0;
    create table narrow_cabinet with (fillfactor = 60) as
      select tenant_id, id, connection_nonce, connection_kid, epoch, is_greeted, gateway_id,
        birth_nonce, birth_boot_no, birth_n, last_seen_at, offline_at, announced_connectivity,
        command_seq, acknowledged_seq, boot_base, boot_no, last_n, missing_reports, gap_since,
        heartbeat_boot_no, heartbeat_mono, app_version, signal_dbm, temperature_c,
        clock_skew_seconds from cabinet;
    alter table narrow_cabinet add primary key (tenant_id, id)`);
  await owner.query("vacuum full cabinet");
}

/** The gateway's own statements for a batch of heartbeats. */
async function storeHeartbeats(db: Db, { tenantId, ids }: Batch): Promise<void> {
  const changes = new ReportChanges();
  for (const { cabinet } of (await lockReportingCabinets(db, tenantId, ids, true)).values()) {
    cabinet.lastN = (cabinet.lastN ?? 0) + 1;
    cabinet.heartbeatMono = (cabinet.heartbeatMono ?? 0) + 60_000;
    cabinet.temperatureC = 24 + (cabinet.lastN % 10) / 10;
    changes.touch(cabinet, true);
  }
  await saveChanges(db, changes);
}

/** The same work on the narrow row: lock, then update. */
async function beatNarrow(owner: pg.Client, { tenantId, ids }: Batch): Promise<void> {
  await owner.query("begin");
  await owner.query(
    `select 1 from narrow_cabinet where tenant_id = $1 and id = any($2::bigint[])
     order by id for no key update`,
    [tenantId, ids],
  );
  await owner.query(
    `update narrow_cabinet set last_seen_at = now(), offline_at = now() + interval '3 minutes',
       last_n = last_n + 1, heartbeat_mono = heartbeat_mono + 60000,
       temperature_c = 24 + (last_n % 10) / 10.0
     where tenant_id = $1 and id = any($2::bigint[])`,
    [tenantId, ids],
  );
  await owner.query("commit");
}

async function each(batches: Batch[], work: (batch: Batch) => Promise<void>): Promise<void> {
  for (const batch of batches) await work(batch);
}

/** Median of rounds: one in which a checkpoint begins has full-page images as well. */
async function measure(owner: pg.Client, table: string, round: () => Promise<void>) {
  await round();
  const walBytes: number[] = [];
  const hotPercents: number[] = [];
  for (let count = 0; count < ROUNDS; count++) {
    const before = await counters(owner, table);
    await round();
    const after = await counters(owner, table);
    const updates = after.updates - before.updates;
    walBytes.push((after.wal - before.wal) / updates);
    hotPercents.push(((after.hot - before.hot) / updates) * 100);
  }
  return { walBytes: median(walBytes), hotPercent: median(hotPercents) };
}

async function counters(owner: pg.Client, table: string) {
  await owner.query("select pg_stat_force_next_flush()");
  await sleep(STATISTICS_MS);
  const { rows } = await owner.query(
    `select pg_current_wal_insert_lsn() - '0/0' as wal, n_tup_upd as updates,
       n_tup_hot_upd as hot from pg_stat_user_tables where relname = $1`,
    [table],
  );
  const [{ wal, updates, hot }] = rows;
  return { wal: Number(wal), updates: Number(updates), hot: Number(hot) };
}
