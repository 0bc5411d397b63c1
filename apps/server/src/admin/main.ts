// `./storage account`, `doctor`, `key`, `migrate`, `psql`, `status` and `tenant`, under npm `npm run …`: parses arguments, runs the command, prints Chinese messages.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { acceptChain } from "../features/identity/audit/index.ts";
import {
  commandOf,
  complain,
  placeOf,
  runCommand,
  say,
  terminalLog,
} from "../platform/command-line.ts";
import { awaitDatabase } from "../platform/db/await-database.ts";
import { migrate, requireSchema } from "../platform/db/migrate.ts";
import { readSettings, SettingsError } from "../platform/env.ts";
import { openFileStore } from "../platform/files/files.ts";
import { migrateJobs } from "../platform/jobs/jobs.ts";
import { activateKey, openVault, prepareKey } from "../platform/secrets.ts";
import { ACCOUNT_HELP, runAccount } from "./account.ts";
import { describeStatus, examine } from "./doctor.ts";
import { asOwner, inTransaction } from "./owner.ts";
import { openPsql } from "./psql.ts";
import { resealAll } from "./reseal.ts";
import { eraseTenant, GRACE_DAYS, requireErasable } from "./tenant-erase.ts";
import { exportTenant } from "./tenant-export.ts";

const HELP = `用法：
  ${commandOf("migrate")}
      升级外部数据库（DATABASE_URL）的表结构；服务设置 MIGRATE=off 时用。

  ${commandOf("tenant")} export 租户编号 文件.tar.gz
      导出一个租户的全部数据和上传的文件，不含密钥与密码。服务不用停。
  ${commandOf("tenant")} erase 租户编号 [--despite-remains]
      清除一个租户的全部数据和上传的文件，不能恢复。租户须停用、到期或删除满 ${GRACE_DAYS} 天。
      --despite-remains  还有余额、订单或设备也清除
  ${commandOf("tenant")} accept-audit 租户编号
      恢复备份而没有恢复文件之后，“操作审计 › 校验”提示签出的校验码被删除：核对过原因再执行，
      重新签出一个租户操作审计链末的校验码。

  ${commandOf("status")}
      这个系统的版本、数据库、柜机数、最近的备份、是否就绪。
  ${commandOf("doctor")}
      逐项检查：版本、磁盘、证书、数据库、时钟、主密钥、复制、慢语句、死行、文件上限、备份。
      有一项不行时退出码为 1；要注意的（“注意”）不影响退出码。什么都不改动。
  ${commandOf("psql")} [--write] [-- psql 的参数]
      用这台机器上的 psql 打开数据库；不加 --write 时只读。

${ACCOUNT_HELP}
  ${commandOf("key")} prepare
      轮换主密钥的第一步：生成 DATA_DIR/secret.key.next，其中的新密钥还不使用。
  ${commandOf("key")} activate
      第二步，在每台机器都有了 secret.key.next 之后：改用新密钥。服务不用停。
  ${commandOf("key")} reseal
      第三步：把数据库中用旧密钥加密的内容改用新密钥加密。服务不用停，可以重复执行。
`;

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

async function runKey(args: string[]): Promise<void> {
  const { dataDir, secretKey } = readSettings(process.env);
  if (args[0] === "reseal" && args.length === 1) return reseal();
  if (secretKey) {
    throw new SettingsError("主密钥由 SECRET_KEY 给出：请按文档在密钥管理系统里轮换它。");
  }
  const [action] = args;
  if (action === "prepare" && args.length === 1) {
    say(`已生成 ${await prepareKey(dataDir)}`);
    say("  请复制到每台机器的 DATA_DIR（权限 0600），10 秒之后在每台机器执行 activate");
  } else if (action === "activate" && args.length === 1) {
    await activateKey(dataDir);
    say("10 秒之内改用新密钥。请立即备份 secret.key，旧的备份仍要用旧的 secret.key");
    say(`  已存的内容仍用旧密钥加密：在一台机器上执行 ${commandOf("key")} reseal`);
  } else throw new SettingsError(HELP);
}

async function reseal(): Promise<void> {
  const settings = readSettings(process.env);
  const { dataDir, secretKey } = settings;
  const vault = await openVault(dataDir, { mayMake: false, keys: secretKey });
  if (!vault.currentKeyId) {
    say("主密钥没有轮换过，不用重新加密");
    return;
  }
  const counts = await asOwner(settings, terminalLog, async (client) => {
    await requireSchema(client);
    return resealAll(client, vault);
  });
  const sum = (name: "resealed" | "failed") =>
    counts.reduce((total, count) => total + count[name], 0);
  for (const { column, resealed, failed } of counts) {
    if (resealed > 0) say(`  ${column}：${resealed} 项`);
    if (failed > 0) complain(`  ${column}：${failed} 项打不开，没有改动`);
  }
  say(`已用当前的主密钥重新加密 ${sum("resealed")} 项`);
  if (sum("failed") > 0) {
    throw new SettingsError(
      `${sum("failed")} 项打不开：secret.key 里没有加密它们的密钥，或数据已损坏。请在控制台重新录入。`,
    );
  }
}

async function runTenant(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { "despite-remains": { type: "boolean", default: false } },
  });
  const [action, id = "", target, ...rest] = positionals;
  if (!/^[1-9]\d{0,8}$/.test(id) || rest.length > 0) throw new SettingsError(HELP);
  const tenantId = Number(id);
  if (action === "export" && target && !values["despite-remains"]) {
    return exportTo(tenantId, placeOf(target));
  }
  if (action === "accept-audit" && !target && !values["despite-remains"]) {
    return acceptAudit(tenantId);
  }
  if (action === "erase" && !target) return erase(tenantId, values["despite-remains"]);
  throw new SettingsError(HELP);
}

async function runStatus(args: string[]): Promise<void> {
  if (args.length > 0) throw new SettingsError(HELP);
  for (const line of await describeStatus(readSettings(process.env))) say(line);
}

const LEVELS = { ok: "正常", warn: "注意", fail: "不行" } as const;

async function runDoctor(args: string[]): Promise<void> {
  if (args.length > 0) throw new SettingsError(HELP);
  const findings = await examine(readSettings(process.env));
  for (const { level, subject, says } of findings) say(`${LEVELS[level]}  ${subject}：${says}`);
  if (findings.some(({ level }) => level === "fail")) process.exitCode = 1;
}

async function runPsql(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { write: { type: "boolean", default: false } },
  });
  const request = { mayWrite: values.write, args: positionals };
  process.exitCode = await openPsql(readSettings(process.env), request);
}

async function exportTo(tenantId: number, target: string): Promise<void> {
  const settings = readSettings(process.env);
  const files = await openFileStore(settings);
  const manifest = await asOwner(settings, terminalLog, async (client) => {
    await requireSchema(client);
    return exportTenant(client, files, { tenantId, target, now: new Date() });
  });
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  const tables = Object.keys(manifest.tables).length;
  say(`已导出租户 ${tenantId}：${target}`);
  say(`  ${tables} 张表、${rows} 行、${manifest.files} 个文件`);
  if (manifest.missingFiles.length > 0) {
    complain(`  ${manifest.missingFiles.length} 个登记的文件找不到，编号在 manifest.json 中`);
  }
  say("  含个人信息：离开本机前请加密");
}

async function acceptAudit(tenantId: number): Promise<void> {
  const settings = readSettings(process.env);
  const files = await openFileStore(settings);
  const vault = await openVault(settings.dataDir, { mayMake: false, keys: settings.secretKey });
  const accepted = await asOwner(settings, terminalLog, async (client) => {
    await requireSchema(client);
    const tools = { files, log: pino({ level: "silent" }) };
    return inTransaction(client, (db) => acceptChain(db, tools, tenantId), { vault });
  });
  if (accepted === null) throw new SettingsError(`租户 ${tenantId} 没有操作审计`);
  if ("kind" in accepted) {
    throw new SettingsError(
      `第 ${accepted.seq} 条与数据库里签出的校验码不符，不能重新签出：操作审计可能被改动过`,
    );
  }
  say(`已签出租户 ${tenantId} 第 ${accepted.seq} 条的校验码：${accepted.hash}`);
}

async function erase(tenantId: number, isDespiteRemains: boolean): Promise<void> {
  const settings = readSettings(process.env);
  const files = await openFileStore(settings);
  await asOwner(settings, terminalLog, async (client) => {
    await requireSchema(client);
    const erasable = await requireErasable(client, tenantId);
    const { name, remains, isBegun } = erasable;
    if (remains.length > 0 && !isDespiteRemains && !isBegun) {
      throw new SettingsError(
        `租户“${name}”还有 ${remains.join("；")}。确实不再需要，请加上 --despite-remains。`,
      );
    }
    say(`将清除租户“${name}”（编号 ${tenantId}）的全部数据和文件，不能恢复。请先导出。`);
    for (const line of remains) say(`  还有 ${line}`);
    say("请输入租户名称确认：");
    if ((await readLine()) !== name) throw new SettingsError("名称不一致，没有清除任何数据。");
    const erased = await eraseTenant(client, files, erasable);
    const rows = Object.values(erased).reduce((sum, count) => sum + count, 0);
    say(`已清除租户 ${tenantId}：${Object.keys(erased).length} 张表中的 ${rows} 行`);
    say("  保留：租户编号、审计校验码；备份中的数据随备份到期删除");
  });
}

/** Empty at the end of the input. */
async function readLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  const [line] = await Promise.race([once(lines, "line"), once(lines, "close").then(() => [""])]);
  lines.close();
  process.stdin.unref?.();
  return String(line).trim();
}

await runCommand(
  {
    ...{ account: runAccount, doctor: runDoctor, key: runKey, migrate: runMigrate },
    ...{ psql: runPsql, status: runStatus, tenant: runTenant },
  },
  HELP,
);
