// Connects commands to the database as the owner of its tables: an outside one, or that of the data folder.
import { existsSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { openCluster } from "../backup/base-backup.ts";
import { awaitDatabase } from "../platform/db/await-database.ts";
import { type Db, handleOf, nameKeysInCamelCase } from "../platform/db/db.ts";
import { connectClient, LONG_ANSWER_MS } from "../platform/db/postgres-client.ts";
import type { LauncherLog } from "../platform/embedded-postgres/embedded-postgres-host.ts";
import { type Settings, SettingsError } from "../platform/env.ts";
import type { Vault } from "../platform/secrets.ts";

/** Runs `work` with a connection of the owner; the embedded database is started if no server runs. */
export async function asOwner<Result>(
  { databaseUrl, dataDir }: Settings,
  log: LauncherLog,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl) {
    await awaitDatabase(databaseUrl, {
      onWait: (reason) => log.info(`${reason}。正在等待数据库…`),
    });
    const use = { url: databaseUrl, purpose: "administration", answerWithinMs: LONG_ANSWER_MS };
    const client = await connectClient(use);
    nameKeysInCamelCase(client);
    return work(client).finally(() => client.end());
  }
  if (!existsSync(path.join(dataDir, "postgres/PG_VERSION"))) {
    throw new SettingsError(
      `${dataDir} 里没有内置数据库：请用 DATA_DIR 指定服务正在使用的数据文件夹。`,
    );
  }
  const cluster = await openCluster(dataDir, log);
  try {
    const client = await cluster.connect();
    nameKeysInCamelCase(client);
    return await work(client).finally(() => client.end());
  } finally {
    await cluster.stop();
  }
}

const noVault = {
  get vault(): never {
    throw new Error("this command opens no sealed value");
  },
};

/** As the platform: row-level security hides all rows from the owner of the tables. */
export async function inTransaction<Result>(
  client: pg.Client,
  work: (db: Db) => Promise<Result>,
  tools: { readonly vault: Vault } = noVault,
): Promise<Result> {
  await client.query("begin");
  try {
    await client.query("set local role cabinet_platform");
    const result = await work(handleOf(client, tools));
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
