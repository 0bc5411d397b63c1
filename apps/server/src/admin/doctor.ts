// `./storage status` and `./storage doctor`: facts about an installation, and whether each is as it should be.
import { X509Certificate } from "node:crypto";
import { stat, statfs } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { findCabinetFigures } from "../features/fleet/cabinet/index.ts";
import { awaitDatabase } from "../platform/db/await-database.ts";
import { requireSchema } from "../platform/db/migrate.ts";
import { type Sql, sql } from "../platform/db/sql.ts";
import { type Standbys, standbysSql, standbyWarning } from "../platform/db/standbys.ts";
import type { Settings } from "../platform/env.ts";
import { fileLimit, fileLimitWarning } from "../platform/file-limit.ts";
import { LAST_BACKUP_FILE } from "../platform/host-metrics.ts";
import { hasRoom } from "../platform/http/health.ts";
import { readCertificate } from "../platform/http/tls.ts";
import { openVault } from "../platform/secrets.ts";
import { commit, version } from "../platform/version.ts";
import { asOwner, inTransaction } from "./owner.ts";
import { findUnopenable } from "./reseal.ts";

export interface Finding {
  level: "ok" | "warn" | "fail";
  subject: string;
  says: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** As the alerts of deploy/prometheus. */
const [LEAST_FREE_SHARE, OLDEST_BACKUP_DAYS, MOST_CLOCK_SECONDS] = [0.1, 2, 5];
const CERTIFICATE_DAYS = 21;
const SLOW_SECONDS = 5;
const MOST_DEAD_SHARE = 0.3;
/** Small tables are vacuumed before anybody notices. */
const DEAD_ROWS = 100_000;
const WAIT_MS = 5_000;
const silent = { info() {}, warn() {}, error() {} };

type Verdict = Omit<Finding, "subject">;
const ok = (says: string): Verdict => ({ level: "ok", says });
const warn = (says: string): Verdict => ({ level: "warn", says });
const fail = (says: string): Verdict => ({ level: "fail", says });

interface Facts {
  serverVersion: string;
  megabytes: number;
  now: number;
  tenants: number;
  cabinets: number;
  online: number;
}

/** Each check gives one finding, also one that fails. */
export async function examine(settings: Settings): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = async (subject: string, check: () => Verdict | Promise<Verdict>) => {
    const verdict = await Promise.resolve()
      .then(check)
      .catch((error: Error) => fail(error.message));
    findings.push({ subject, ...verdict });
  };
  await add("版本", () => ok(`${version}${commit ? `（${commit.slice(0, 9)}）` : ""}`));
  await add("磁盘", () => diskOf(settings.dataDir));
  await add("证书", () => certificateOf(settings));
  await withDatabase(settings, async (client) => {
    await requireSchema(client);
    const facts = await factsOf(client);
    await add("数据库", () => ok(`PostgreSQL ${facts.serverVersion}，表结构是这个版本的`));
    await add("时钟", () => clockOf(facts));
    await add("主密钥", () => keyOf(settings, client));
    await add("复制", () => replicationOf(settings, client));
    await add("慢语句", () => slowOf(client));
    await add("死行", () => bloatOf(client));
    await add("文件上限", () => filesOf(settings, facts));
  }).catch((error: Error) => {
    findings.push({ subject: "数据库", ...fail(error.message) });
  });
  await add("备份", () => backupOf(settings));
  return findings;
}

/** Lines of facts, without a verdict. */
export async function describeStatus(settings: Settings): Promise<string[]> {
  const lines = [`版本 ${version}${commit ? `，提交 ${commit}` : ""}，Node ${process.version}`];
  lines.push(`数据文件夹 ${settings.dataDir}`);
  await withDatabase(settings, async (client) => {
    await requireSchema(client);
    const { serverVersion, tenants, cabinets, online, ...facts } = await factsOf(client);
    const kind = settings.databaseUrl ? "外部" : "内置";
    lines.push(`数据库 PostgreSQL ${serverVersion}（${kind}），${facts.megabytes} MB`);
    lines.push(`租户 ${tenants} 个，启用的柜机 ${cabinets} 台，在线 ${online} 台`);
  });
  lines.push(`备份 ${(await backupOf(settings)).says}`);
  lines.push(`本机的接口 ${await readyOf(settings)}`);
  return lines;
}

async function withDatabase(
  settings: Settings,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  if (settings.databaseUrl) {
    // The person who asks is waiting.
    await awaitDatabase(settings.databaseUrl, { waitMs: WAIT_MS, onWait() {} });
  }
  await asOwner(settings, silent, work);
}

async function ask<Row>(client: pg.Client, query: Sql): Promise<Row> {
  const { rows } = await client.query({ text: query.text, values: query.values as unknown[] });
  return rows[0] as Row;
}

function factsOf(client: pg.Client): Promise<Facts> {
  return inTransaction(client, async (db) => {
    const figures = await findCabinetFigures(db, { most: 0, other: "all" });
    const countOf = (isCounted: (state: string) => boolean) =>
      figures.reduce((sum, { state, count }) => sum + (isCounted(state) ? count : 0), 0);
    const row = await db.one<Pick<Facts, "serverVersion" | "megabytes" | "now" | "tenants">>(sql`
      select current_setting('server_version') as server_version,
        (pg_database_size(current_database()) / 1000000)::int as megabytes,
        extract(epoch from clock_timestamp())::float8 as now,
        (select count(*)::int from tenant where tenant.state <> 'DELETED') as tenants`);
    return {
      ...row,
      cabinets: countOf(() => true),
      online: countOf((state) => state === "ONLINE"),
    };
  });
}

async function diskOf(dataDir: string): Promise<Verdict> {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const says = `${dataDir} 所在磁盘还有 ${megabytes(bavail * bsize)}`;
  const advice = "请腾出空间（旧备份、旧日志，不要动 postgres 文件夹）";
  if (!(await hasRoom(dataDir))) return fail(`${says}：${advice}`);
  return bavail / blocks < LEAST_FREE_SHARE ? warn(`${says}，不到一成：${advice}`) : ok(says);
}

function certificateOf({ tls }: Settings): Verdict {
  if (!tls) return ok("没有设置 TLS_CERT_FILE：由反向代理保管");
  const { validTo } = new X509Certificate(readCertificate(tls).cert);
  const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
  if (days < 0) return fail(`${tls.certFile} 已过期：请换上续期后的证书，不用重启`);
  const says = `${tls.certFile} 还有 ${days} 天`;
  return days < CERTIFICATE_DAYS ? warn(`${says}：请续期，文件换好后不用重启`) : ok(says);
}

function clockOf({ now }: Facts): Verdict {
  const seconds = Math.round(Date.now() / 1000 - now);
  if (Math.abs(seconds) <= MOST_CLOCK_SECONDS) return ok("与数据库一致");
  return warn(`与数据库的时钟差 ${seconds} 秒：请在两台机器上启用时间同步（chrony）`);
}

async function keyOf(settings: Settings, client: pg.Client): Promise<Verdict> {
  const vault = await openVault(settings.dataDir, { mayMake: false, keys: settings.secretKey });
  const unopenable = await findUnopenable(client, vault);
  if (unopenable.length === 0) return ok("与数据库相符");
  return fail(
    `打不开 ${unopenable.join("、")} 中的内容：主密钥不是这个数据库的，请从正在运行的机器或备份取回 secret.key`,
  );
}

async function replicationOf({ databaseUrl }: Settings, client: pg.Client): Promise<Verdict> {
  if (!databaseUrl) return ok("内置数据库没有备库：丢失这台机器就回到最近一份备份");
  const standbys = await ask<Standbys>(client, standbysSql);
  const warning = standbyWarning(standbys);
  if (warning) return warn(warning);
  if (standbys.synchronous === 0) return warn("没有备库：丢失数据库就回到最近一份备份");
  return ok(`同步的备库 ${standbys.synchronous} 个，异步的 ${standbys.asynchronous} 个`);
}

async function slowOf(client: pg.Client): Promise<Verdict> {
  const { count, text } = await ask<{ count: number; text: string | null }>(
    client,
    sql`
      select count(*)::int as count, left(min(activity.query), 80) as text
      from pg_stat_activity activity
      where activity.datname = current_database() and activity.pid <> pg_backend_pid()
        and activity.backend_type = 'client backend'
        and (activity.state = 'active' and activity.query_start < now() - make_interval(secs => ${SLOW_SECONDS})
          or activity.state like 'idle in transaction%'
            and activity.state_change < now() - make_interval(secs => ${SLOW_SECONDS}))`,
  );
  if (count === 0) return ok(`没有执行超过 ${SLOW_SECONDS} 秒的语句或事务`);
  return warn(
    `${count} 个语句或事务超过 ${SLOW_SECONDS} 秒，例如：${text ?? ""}。请看“处置手册 · 变慢”`,
  );
}

async function bloatOf(client: pg.Client): Promise<Verdict> {
  const { tables } = await ask<{ tables: string | null }>(
    client,
    sql`
      select string_agg(relname, '、' order by n_dead_tup desc) as tables from pg_stat_user_tables
      where n_dead_tup > ${DEAD_ROWS} and n_dead_tup > ${MOST_DEAD_SHARE}::float8 * (n_live_tup + n_dead_tup)`,
  );
  if (tables === null) return ok("自动清理跟得上");
  return warn(`${tables} 的死行超过三成：请找出长时间的事务或停住的复制槽，再执行 vacuum`);
}

function filesOf({ mqttUrl }: Settings, { cabinets }: Facts): Verdict {
  const limit = fileLimit();
  if (mqttUrl || limit === null) return ok("柜机连接在外部的 MQTT 服务上");
  const warning = fileLimitWarning(cabinets, limit);
  return warning
    ? warn(`${warning}（这是本命令的上限，服务的由启动它的程序决定）`)
    : ok(`${limit}`);
}

async function backupOf({ dataDir, databaseUrl }: Settings): Promise<Verdict> {
  const stamp = await stat(path.join(dataDir, LAST_BACKUP_FILE)).catch(() => null);
  const how = databaseUrl
    ? "备份外部数据库之后请 touch DATA_DIR/last-backup"
    : "请定时执行 ./storage backup";
  if (!stamp) return warn(`没有记录：${how}`);
  const days = (Date.now() - stamp.mtimeMs) / DAY_MS;
  const says = `最近一次在 ${days < 1 ? `${Math.floor(days * 24)} 小时` : `${Math.floor(days)} 天`}前`;
  return days > OLDEST_BACKUP_DAYS ? warn(`${says}：${how}`) : ok(says);
}

/** Asks the API process of this machine, by plain HTTP. */
async function readyOf({ metricsListen, port, host, tls }: Settings): Promise<string> {
  if (tls && !metricsListen) return "只说 HTTPS：请用浏览器或 curl 打开 /readyz";
  const at = metricsListen ?? { host: host === "0.0.0.0" ? "127.0.0.1" : host, port };
  const url = `http://${at.host.includes(":") ? `[${at.host}]` : at.host}:${at.port}/readyz`;
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) });
    return `${reply.ok ? "就绪" : "未就绪"}：${await reply.text()}`;
  } catch {
    return `在 ${url} 没有应答：没有启动，或在别的机器上`;
  }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000).toLocaleString("en")} MB`;
