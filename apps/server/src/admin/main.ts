// `./storage migrate`, under npm `npm run migrate`: administration without a running server.
import { pino } from "pino";
import { awaitDatabase } from "../platform/db/await-database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { readSettings, SettingsError } from "../platform/env.ts";
import { migrateJobs } from "../platform/jobs/jobs.ts";

const say = (line: string) => process.stdout.write(`${line}\n`);

async function runMigrate(): Promise<void> {
  const { databaseUrl } = readSettings(process.env);
  if (!databaseUrl) {
    throw new SettingsError("没有设置 DATABASE_URL：内置数据库在服务启动时升级，不需要这一步。");
  }
  await awaitDatabase(databaseUrl, { onWait: (reason) => say(`${reason}。正在等待数据库…`) });
  const onWait = (name: string) => say(`迁移 ${name} 在等其他事务释放表锁…`);
  const applied = await migrate(databaseUrl, { onWait });
  await migrateJobs(databaseUrl, pino({ level: "warn" }));
  say(applied.length > 0 ? `数据库结构已更新（${applied.length} 个迁移）` : "数据库结构已是最新");
}

try {
  const [name] = process.argv.slice(2);
  if (name === "migrate") await runMigrate();
  else throw new SettingsError("用法：./storage migrate");
} catch (error) {
  const isForUser = error instanceof SettingsError;
  process.stderr.write(`${isForUser ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
}
