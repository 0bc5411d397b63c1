// Entry point: database, migrations, first account, then the requested services, until a stop signal.
import path from "node:path";
import { parseArgs } from "node:util";
import { PANEL_SOCKET } from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.rules.ts";
import { buildApi, documentSource } from "./api.ts";
import { findCabinetFigures } from "./features/fleet/cabinet/index.ts";
import { seedMenu } from "./features/identity/access/index.ts";
import { hasOperators } from "./features/identity/auth/index.ts";
import { ensureFirstOperator, requireStrongPassword } from "./features/identity/tenancy/index.ts";
import { startGateway } from "./gateway.ts";
import { measures } from "./measures.ts";
import { ignoreClosedOutput } from "./platform/command-line.ts";
import { awaitDatabase } from "./platform/db/await-database.ts";
import { type Database, openDatabase } from "./platform/db/db.ts";
import { migrate, requireSchemaOf } from "./platform/db/migrate.ts";
import { Listener } from "./platform/db/notify.ts";
import { asOutage } from "./platform/db/postgres-client.ts";
import { Replica } from "./platform/db/replica.ts";
import { sql } from "./platform/db/sql.ts";
import { findStandbys, standbyWarning } from "./platform/db/standbys.ts";
import { startEmbeddedPostgres } from "./platform/embedded-postgres/embedded-postgres.ts";
import { readSettings, type Settings, SettingsError, unreadFileWarning } from "./platform/env.ts";
import { fileLimitWarning } from "./platform/file-limit.ts";
import { openFileStore } from "./platform/files/files.ts";
import { LAST_BACKUP_FILE, measureHost } from "./platform/host-metrics.ts";
import { hasRoom, type Readiness } from "./platform/http/health.ts";
import { startHealthServer } from "./platform/http/health-server.ts";
import { DRAIN_MS } from "./platform/http/http-drain.ts";
import { readCertificate } from "./platform/http/tls.ts";
import { migrateJobs } from "./platform/jobs/jobs.ts";
import { createLog } from "./platform/log.ts";
import { databaseInfo, tenantLabels } from "./platform/metrics.ts";
import { requireFreePort } from "./platform/ports.ts";
import { openVault } from "./platform/secrets.ts";
import { startTracing } from "./platform/tracing.ts";
import { startWorker } from "./worker.ts";

const SERVICES = ["api", "gateway", "worker"] as const;
type Service = (typeof SERVICES)[number];

const say = (line: string) => process.stdout.write(`${line}\n`);

const warn = (sentence: string | null) => sentence && say(`注意：${sentence}`);

interface Stoppable {
  stop(): Promise<unknown>;
}

/** Stopped in reverse order of starting. */
const started: Stoppable[] = [];

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const { services, withDemo } = readArguments();
  const log = createLog(settings.logLevel);
  tenantLabels.most = settings.metricsTenants;
  const { traces } = settings;
  if (traces) started.push(await startTracing(traces, `cabinet-${[...services].join("-")}`, log));
  const here = [path.join(import.meta.dirname, "../../.."), process.env.INIT_CWD ?? process.cwd()];
  warn(unreadFileWarning(here));
  // Fail before a database is created or migrated.
  await requireStrongPassword(settings);
  if (settings.tls) readCertificate(settings.tls);
  await requireFreePorts(settings, services);

  let url = settings.databaseUrl;
  if (url) {
    await awaitDatabase(url, { onWait: (reason) => say(`${reason}。正在等待数据库…`) });
  } else {
    say("正在启动数据库…");
    const postgres = await startEmbeddedPostgres({ dataDir: settings.dataDir, log });
    started.push(postgres);
    url = postgres.url;
  }
  if (settings.migratesSchema) {
    const onWait = (name: string) => say(`迁移 ${name} 在等其他事务释放表锁…`);
    const applied = await migrate(url, { onWait });
    await migrateJobs(url, log);
    if (applied.length > 0) say(`数据库结构已更新（${applied.length} 个迁移）`);
  } else {
    await requireSchemaOf(url);
  }

  // With a shared database that is in use, a missing key must not be created: data sealed by one machine could not be
  // opened by the others.
  const mayMake = !settings.databaseUrl || !(await isInUse(url));
  const database = openDatabase(url, {
    vault: await openVault(settings.dataDir, { mayMake, keys: settings.secretKey }),
    onError: (error) => log.warn({ err: asOutage(error) }, "database connection lost"),
  });
  started.push({ stop: () => database.close() });
  await reportDatabase(database, settings.databaseUrl === null);
  warn(standbyWarning(await findStandbys(database)));
  if (services.has("gateway") && !settings.mqttUrl) warn(await fileRisk(database));
  const files = await openFileStore(settings);
  const password = await ensureFirstOperator(database, settings);
  await database.transaction("platform", seedMenu);
  // Loaded on demand: a production process runs without the demo's code.
  const demo = withDemo ? await import("./demo/index.ts") : null;
  if (demo) {
    say("正在准备演示数据…");
    await demo.ensureDemo({
      database,
      files,
      dataDir: settings.dataDir,
      log,
      server: `${settings.tls ? "https" : "http"}://127.0.0.1:${settings.port}`,
      mqtt: settings.deviceMqttUrl ?? settings.mqttUrl ?? `mqtt://127.0.0.1:${settings.mqttPort}`,
    });
  }

  const listener = new Listener(url, log);
  await listener.start();
  started.push({ stop: () => listener.close() });
  const readiness: Readiness = {
    isReady: false,
    checks: {},
    warnings: { disk: () => hasRoom(settings.dataDir) },
  };

  if (services.has("worker")) {
    const receiver = demo ? await demo.startDemoReceiver({ database, log }) : null;
    if (receiver) started.push(receiver);
    const parts = { ...settings, files, listener, localWebhookOrigin: receiver?.origin };
    started.push(await startWorker(url, { database, log }, parts));
  }
  if (services.has("gateway")) {
    const gateway = await startGateway({ settings, database, listener, log });
    started.push(gateway);
    readiness.checks.broker = () => gateway.isLinked();
  }
  const ofServices = [...services].flatMap((service) => measures[service]);
  const ofProcess = [() => measureHost(settings), ...new Set(ofServices)];
  let address: string | null = null;
  if (services.has("api")) {
    const hasOutsideBroker = settings.mqttUrl !== null;
    const replica = settings.databaseReadUrl
      ? new Replica({ url: settings.databaseReadUrl, primary: database, listener, log })
      : undefined;
    if (replica) started.push({ stop: () => replica.close() });
    const app = await buildApi({
      wechatPayUrl: settings.wechatPayUrl,
      log,
      database,
      replica,
      listener,
      files,
      clamd: settings.clamd,
      securityContact: settings.securityContact,
      readiness,
      measures: ofProcess,
      hasMetricsElsewhere: settings.metricsListen !== null,
      hasOutsideBroker,
      amap: settings.amap,
      trustedProxies: settings.trustedProxies,
      tls: settings.tls,
      hasInbox: demo !== null,
      lastBackup: path.join(settings.dataDir, LAST_BACKUP_FILE),
      simulatorSocket: path.join(settings.dataDir, "simulator", PANEL_SOCKET),
      allowsLoopbackCallbacks: settings.allowsLoopbackCallbacks,
      broker: {
        publicUrl: settings.deviceMqttUrl,
        outsideUrl: settings.mqttUrl,
        port: settings.mqttPort,
      },
    });
    demo?.addInbox(app, database);
    address = await app.listen({ port: settings.port, host: settings.host });
    started.push({ stop: () => app.close() });
  }
  const metricsAt = metricsAddress(settings, services);
  if (metricsAt) {
    const document = services.has("api") ? documentSource : undefined;
    started.push(await startHealthServer(metricsAt, database, readiness, ofProcess, document));
  }
  readiness.isReady = true;
  started.push({
    stop: async () => {
      readiness.isReady = false;
    },
  });

  say("");
  if (address) say(`  智能存取系统已就绪：${address}`);
  if (password) {
    say(`  首次登录账号：${settings.adminUsername}`);
    say(`  首次登录密码：${password}`);
    say("  （密码只显示这一次，登录后须修改，并设置两步验证：请备好手机上的验证器）");
  }
  if (demo) {
    started.push(demo.startDemoFleet(settings.dataDir));
    say(`  演示账号与密码见 ${settings.dataDir}/demo-accounts.json`);
    if (address) for (const line of await demo.describeVisit(database, address)) say(`  ${line}`);
  }
  say("  按 Ctrl-C 停止");
  say("");
}

/** Null: a process with the API serves its metrics there, another one nowhere. */
function metricsAddress({ metricsListen, metricsPort, host }: Settings, services: Set<Service>) {
  if (metricsListen || services.has("api") || metricsPort === null) return metricsListen;
  return { host, port: metricsPort };
}

/** Security updates of PostgreSQL have its last number: operators compare it with the published ones. */
async function reportDatabase(database: Database, isEmbedded: boolean): Promise<void> {
  const [row] = await database.unscoped<{ version: string }>(
    sql`select current_setting('server_version') as version`,
  );
  const version = row?.version ?? "";
  databaseInfo.set({ version }, 1);
  say(`数据库：PostgreSQL ${version}（${isEmbedded ? "内置" : "外部"}）`);
}

/** At the embedded broker each cabinet is an open file. */
async function fileRisk(database: Database): Promise<string | null> {
  const figures = await database.read("platform", (db) =>
    findCabinetFigures(db, { most: 0, other: "all" }),
  );
  return fileLimitWarning(figures.reduce((sum, { count }) => sum + count, 0));
}

async function isInUse(url: string): Promise<boolean> {
  const database = openDatabase(url, { max: 1 });
  return database.read("platform", hasOperators).finally(() => database.close());
}

async function requireFreePorts(settings: Settings, services: Set<Service>): Promise<void> {
  const { host, port, mqttPort, mqttUrl, metricsListen } = settings;
  if (services.has("api")) await requireFreePort("PORT", port, host);
  const at = metricsAddress(settings, services);
  const name = metricsListen ? "METRICS_LISTEN" : "METRICS_PORT";
  if (at) await requireFreePort(name, at.port, at.host);
  if (services.has("gateway") && !mqttUrl) await requireFreePort("MQTT_PORT", mqttPort, host);
}

const USAGE = `用法：npm start -- [选项]
  --demo               加上演示数据和模拟柜机
  --services=名称,…    只启动其中几个：${SERVICES.join("、")}
  --help               显示这些选项
端口、数据目录等用环境变量设置，见 README 和 docs/sre`;

function parseOptions() {
  try {
    return parseArgs({
      options: {
        services: { type: "string", default: SERVICES.join(",") },
        demo: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (!code.startsWith("ERR_PARSE_ARGS_")) throw error;
    const [, option] = /'([^']+)'/.exec(message) ?? [];
    throw new SettingsError(`不认识的选项 ${option ?? message}\n${USAGE}`);
  }
}

function readArguments(): { services: Set<Service>; withDemo: boolean } {
  const { values } = parseOptions();
  if (values.help) {
    say(USAGE);
    process.exit(0);
  }
  const names = values.services.split(",");
  const unknown = names.find((name) => !(SERVICES as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new SettingsError(
      `--services=${values.services} 中的“${unknown}”不认识：可选 ${SERVICES.join("、")}`,
    );
  }
  return { services: new Set(names as Service[]), withDemo: values.demo };
}

let isStopping = false;

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  say("正在停止…");
  setTimeout(() => process.exit(1), DRAIN_MS + 4_000).unref();
  for (const part of started.reverse()) {
    await part.stop().catch((error) => process.stderr.write(`停止时出错：${String(error)}\n`));
  }
  say("已停止");
  process.exit(exitCode);
}

ignoreClosedOutput();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(0));
// The start command holds this IPC channel: a disconnect means that the parent process is gone.
if (process.channel) process.on("disconnect", () => stop(0));

start().catch(async (error: unknown) => {
  const isForUser = error instanceof SettingsError || isAddressInUse(error);
  process.stderr.write(`${isForUser ? describe(error) : `启动失败：${(error as Error).stack}`}\n`);
  await stop(1);
});

function isAddressInUse(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EADDRINUSE";
}

function describe(error: unknown): string {
  if (!isAddressInUse(error)) return (error as Error).message;
  const { port } = error as { port?: number };
  return `端口 ${port} 已被占用：请停止占用它的程序，或用 PORT、MQTT_PORT、METRICS_PORT 换一个端口`;
}
