// Migrations: plain SQL files in order, forward only, each once; refuses schemas that this release cannot run against.
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { SettingsError } from "../env.ts";
import { version } from "../version.ts";
import { compareReleases, MIGRATIONS, type Migration, readMigrations } from "./migration-files.ts";
import { connectClient, LONG_ANSWER_MS } from "./postgres-client.ts";
import { codeOf, DEADLOCK_DETECTED, LOCK_NOT_AVAILABLE } from "./sql-state.ts";

/** Advisory lock key, the same for every process: one migrates, the others wait. */
const LOCK_KEY = 7_214_001;
const POLL_MS = 200;
/**
 * Requests queue behind a migration that waits for a table: it gives up after this and lets them pass. PostgreSQL looks for
 * deadlocks after a second of waiting, and ends the request: a migration that holds one table never waits as long for another.
 */
const LOCK_TIMEOUT_MS = 300;
const LOCK_PAUSE_MS = 1_000;
const LOCK_ATTEMPTS = 90;
const NOT_NOW: (string | undefined)[] = [LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED];

export interface MigrateOptions {
  folder?: string;
  /** Release that runs the migrations. */
  release?: string;
  /** Called once for a migration that waits for a lock. */
  onWait?(name: string): void;
  lockAttempts?: number;
}

/**
 * Migrates the schema as the owner in `url`. Returns the names of the files applied now. Throws `SettingsError` if a
 * newer release has changed the schema in a way that this one cannot run against.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const files = await readMigrations(options.folder ?? MIGRATIONS);
  return withClient(url, async (client) => {
    await lock(client);
    await client.query(
      "create table if not exists migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())",
    );
    await client.query("alter table migration add column if not exists oldest_release text");
    const pending = await findPending(client, files, options.release ?? version);
    for (const migration of pending) await applyPatiently(client, migration, options);
    return pending.map(({ name }) => name);
  });
}

/** Throws `SettingsError` if the schema is too old or too new for this release; changes nothing. */
export async function requireSchema(
  client: pg.Client,
  { folder = MIGRATIONS, release = version }: MigrateOptions = {},
): Promise<void> {
  const files = await readMigrations(folder);
  const { rows } = await client.query("select to_regclass('migration') is not null as found");
  const pending = rows[0]?.found ? await findPending(client, files, release) : files;
  if (pending.length === 0) return;
  throw new SettingsError(
    `数据库结构过旧，缺少 ${pending.length} 个迁移（从 ${pending[0]?.name} 起）：请先执行 ./storage migrate，或以 MIGRATE=on 启动`,
  );
}

/** As `requireSchema`, with a connection of its own. */
export function requireSchemaOf(url: string): Promise<void> {
  return withClient(url, (client) => requireSchema(client));
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await connectClient({ url, purpose: "migration", answerWithinMs: LONG_ANSWER_MS });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Polls: a statement that waits for the lock has a snapshot, for which `create index concurrently` would wait. */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as has_lock", [LOCK_KEY]);
    if (rows[0]?.has_lock) return;
    await sleep(POLL_MS);
  }
}

async function findPending(
  client: pg.Client,
  files: Migration[],
  release: string,
): Promise<Migration[]> {
  const { rows } = await client.query<{
    name: string;
    sha256: string;
    // The column is absent in a database that was last migrated before releases were recorded.
    oldest: string | null;
  }>("select name, sha256, to_jsonb(migration) ->> 'oldest_release' as oldest from migration");
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
  const altered = files.find(({ name, sha256 }) => (applied.get(name) ?? sha256) !== sha256);
  if (altered) {
    throw new SettingsError(
      `迁移 ${altered.name} 在执行后被修改过：这个数据库来自未发布的版本，请用当时的程序，或从备份恢复`,
    );
  }
  const oldest = rows
    .flatMap((row) => row.oldest ?? [])
    .sort(compareReleases)
    .at(-1);
  if (oldest && compareReleases(release, oldest) < 0) {
    throw new SettingsError(
      `数据库结构过新：它至少要 ${oldest} 版本的程序，这个程序是 ${release}，请换用新版本`,
    );
  }
  return files.filter(({ name }) => !applied.has(name));
}

/** Retries while other transactions hold locks on the tables, so that requests pass in between. */
async function applyPatiently(
  client: pg.Client,
  migration: Migration,
  { onWait, lockAttempts = LOCK_ATTEMPTS }: MigrateOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply(client, migration);
    } catch (error) {
      if (!NOT_NOW.includes(codeOf(error))) throw error;
      if (attempt === 1) onWait?.(migration.name);
      if (attempt >= lockAttempts) {
        throw new SettingsError(
          `迁移 ${migration.name} 等不到表锁：有长时间的事务（例如 pg_dump）占用着，请等它结束后再启动`,
        );
      }
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sha256, oldestRelease } = migration;
  const record = () =>
    client.query("insert into migration (name, sha256, oldest_release) values ($1, $2, $3)", [
      ...[name, sha256, oldestRelease],
    ]);
  if (migration.isConcurrent) {
    // Its locks stop no request, so it may wait for them.
    await client.query("set lock_timeout = 0");
    for (const statement of migration.text.split(/;\s*$/m)) {
      if (statement.trim() !== "") await client.query(statement);
    }
    await record();
    return;
  }
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(migration.text);
    await record();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
