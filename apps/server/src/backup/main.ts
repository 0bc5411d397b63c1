// `./storage backup` and `restore`, under npm `npm run …`: parses arguments, runs the command, prints Chinese messages for operators.
import { parseArgs } from "node:util";
import { commandOf, placeOf, runCommand, say, terminalLog } from "../platform/command-line.ts";
import { connectClient, LONG_ANSWER_MS } from "../platform/db/postgres-client.ts";
import { readSettings, SettingsError } from "../platform/env.ts";
import { backUp } from "./back-up.ts";
import type { Checks } from "./check.ts";
import { type Restored, rehearse, restore } from "./restore.ts";
import { isInUse, type Settled, settleMessages } from "./settle.ts";

const HELP = `用法：
  ${commandOf("backup")} --to 文件夹 [--keep 份数] [--without-key]
      把 DATA_DIR 在线备份到“文件夹/backup-时间/”，服务不用停。
      --keep         备份成功后只留最新的几份
      --without-key  不把主密钥 secret.key 放进备份（须另外保管，恢复时用 --key 给出）

  ${commandOf("restore")} 备份 --into 新的数据文件夹 [--key secret.key]
      逐个文件核对、启动数据库、核对账目与审计链，全部通过才交付。
  ${commandOf("restore")} 备份 --check [--key secret.key]
      同样的核对，恢复到临时文件夹后删除：演练，不留下任何东西。
  ${commandOf("restore")} --settle
      用数据库自己的工具恢复外部数据库（DATABASE_URL）之后、启动服务之前执行：
      恢复点时还在发送的消息不再发送，只标明结果未知。
`;

async function runBackup(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      to: { type: "string" },
      keep: { type: "string" },
      "without-key": { type: "boolean", default: false },
    },
  });
  if (!values.to) throw new SettingsError(`请用 --to 指定备份放在哪里。\n\n${HELP}`);
  const keep = values.keep === undefined ? null : Number(values.keep);
  if (keep !== null && !(Number.isInteger(keep) && keep >= 1)) {
    throw new SettingsError(`--keep=${values.keep} 不对：应为 1 以上的整数。`);
  }
  const settings = readSettings(process.env);
  if (settings.databaseUrl) {
    throw new SettingsError(
      "数据库在外部（DATABASE_URL），本命令只备份内置数据库。请用 pg_basebackup 或 pg_dump 备份它，并另外保存 DATA_DIR 中的 secret.key 与 files（见 /doc/sre 的“备份与恢复”）。",
    );
  }
  const began = Date.now();
  const { folder, manifest } = await backUp({
    dataDir: settings.dataDir,
    to: placeOf(values.to),
    hasOutsideFiles: settings.s3 !== null,
    keys: settings.secretKey,
    withKey: !values["without-key"],
    keep,
    now: new Date(),
    log: terminalLog,
  });
  const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0);
  say(`备份完成：${folder}`);
  say(`  ${manifest.files.length} 个文件，${megabytes(bytes)}，用时 ${seconds(began)}`);
  if (manifest.hasKey) say("  含主密钥 secret.key：请像保管密码一样保管，离开本机前先加密");
  else say("  不含主密钥：没有另外保管的 secret.key 就不能恢复");
  if (manifest.hasOutsideFiles) say("  上传的文件在 S3 中，不在备份里：请在存储桶开启版本或复制");
  say(`  请不时演练：${commandOf("restore")} ${folder} --check`);
}

async function runRestore(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      into: { type: "string" },
      check: { type: "boolean", default: false },
      settle: { type: "boolean", default: false },
      key: { type: "string" },
    },
  });
  if (values.settle) {
    // A backup argument contradicts --settle, which acts on the database in use.
    if (args.length > 1) throw new SettingsError(`--settle 不与其他参数同用。\n\n${HELP}`);
    return settleOutside();
  }
  const [given] = positionals;
  if (!given || positionals.length > 1) throw new SettingsError(`请指定一份备份。\n\n${HELP}`);
  if ((values.into === undefined) === !values.check) {
    throw new SettingsError(`请在 --into 与 --check 中选一个。\n\n${HELP}`);
  }
  const began = Date.now();
  const options = {
    backup: placeOf(given),
    keyFile: values.key ? placeOf(values.key) : null,
    log: terminalLog,
  };
  if (values.into === undefined) {
    logRestored(await rehearse(options));
    say(`演练通过，用时 ${seconds(began)}，没有留下任何文件。`);
    return;
  }
  const into = placeOf(values.into);
  logRestored(await restore({ ...options, into }));
  say(`已恢复到 ${into}，用时 ${seconds(began)}。用 DATA_DIR=${into} 启动服务即可。`);
}

/** Settles messages in an outside database, as `restore` does for the embedded one. */
async function settleOutside(): Promise<void> {
  const { databaseUrl } = readSettings(process.env);
  if (!databaseUrl) {
    throw new SettingsError(
      "没有设置 DATABASE_URL：内置数据库的恢复命令已经处理好还在发送的消息，不需要这一步。",
    );
  }
  const client = await connectClient({
    url: databaseUrl,
    purpose: "restore",
    answerWithinMs: LONG_ANSWER_MS,
  });
  try {
    if (await isInUse(client)) {
      throw new SettingsError(
        "这个数据库的服务还在运行：请先停止全部进程，再恢复数据库并执行这一步。刚停止时请等半分钟。",
      );
    }
    logSettled(await settleMessages(client));
  } finally {
    await client.end();
  }
}

function logSettled(settled: Settled | null): void {
  if (!settled) {
    say("消息：备份来自较早的版本，其中还在等待发送的消息，启动后可能会再发一次");
    return;
  }
  const { texts, subscribeMessages, news } = settled;
  if (texts + subscribeMessages + news === 0) {
    say("消息：恢复点时没有正在发送的短信和订阅消息");
    return;
  }
  say(
    `消息：${texts} 条短信、${subscribeMessages} 条订阅消息、${news} 件订单通知可能已由恢复前的系统发出，不再发送；短信和订阅消息在“通知记录”中可查，短信可以重发`,
  );
}

function logRestored({ checks, settled }: Restored): void {
  logChecks(checks);
  logSettled(settled);
}

function logChecks(checks: Checks): void {
  say(`数据库：${checks.tables} 张表、${checks.rows} 行、${checks.indexes} 个索引，逐页核对无误`);
  say(`账目：${checks.journals} 笔流水借贷相平，钱包、冻结、短信余额与之相符`);
  say(`审计：${checks.auditEntries} 条记录，校验链完整`);
  say(`文件：${checks.files} 个，内容与登记一致`);
}

const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`;
const seconds = (began: number) => `${((Date.now() - began) / 1_000).toFixed(1)} 秒`;

await runCommand({ backup: runBackup, restore: runRestore }, HELP);
