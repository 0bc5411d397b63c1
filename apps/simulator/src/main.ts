// Entry point of the simulator: reads the command line, runs the fleet, prints progress.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PANEL_SOCKET } from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.rules.ts";
import { activate } from "./activation.ts";
import { createFleet } from "./fleet.ts";
import { lockFolder } from "./lock.ts";
import { HELP, type Options, type PeopleRequest, readOptions, UsageError } from "./options.ts";
import { startPanel } from "./panel.ts";
import { runPeople } from "./people/people.ts";
import { watchCredentials } from "./rotation.ts";

const LOG_EVERY_MS = 2_000;
const GOODBYE_MS = 1_800;

async function run(): Promise<void> {
  const options = await readOptions(process.argv.slice(2), process.env);
  if (options === "help") {
    process.stdout.write(HELP);
    return;
  }
  if ("people" in options) return runPeopleUntilStopped(options.people);
  const unlock = await lockFolder(options.journalDir);
  if (typeof unlock === "number") {
    const file = path.resolve(options.journalDir, "simulator.pid");
    throw new UsageError(
      `这些模拟柜机已经在运行（进程 ${unlock}）。请先停止它，或用 --journal 换一个目录；` +
        `如果那个进程不是模拟器，请删除 ${file}。`,
    );
  }
  const log = (line: string) => process.stdout.write(`模拟柜机 ${line}\n`);
  const { cabinets, mqtt } = await withActivated(options, log).catch(async (error) => {
    await unlock();
    throw error;
  });
  const total = cabinets.length;
  log(`启动 ${total} 台，服务器 ${options.server}，消息服务 ${mqtt}`);
  const fleet = createFleet({
    ...options,
    cabinets,
    mqtt,
    onTrouble: (message) => log(`出错 ${message}`),
  });
  const socket = path.resolve(options.journalDir, PANEL_SOCKET);
  const panel = await startPanel(socket, fleet.find).catch((error: Error) => {
    log(`控制台看不到这些模拟柜机：${error.message}`);
    return undefined;
  });
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    // For cabinets that miss the deadline the broker publishes the last will, as for a lost line.
    const goodbye = Promise.all([fleet.stop(), panel?.stop()]);
    void Promise.race([goodbye, sleep(GOODBYE_MS)])
      .finally(unlock)
      .then(() => {
        log("已全部下线");
        // Pending connection attempts must not keep the process alive.
        process.exit(0);
      });
  };
  const { credentialsFile } = options;
  if (credentialsFile !== undefined) {
    watchCredentials(credentialsFile, {
      log,
      onChange(changed) {
        const numbers = fleet.changeKeys(changed);
        if (numbers.length > 0) log(`换用新密钥 ${numbers.length} 台：${numbers.join("、")}`);
      },
    });
  }
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // The parent process with the IPC channel is gone: stop too.
  process.on("disconnect", stop);
  let last = -1;
  setInterval(() => {
    const online = fleet.online();
    if (online === last || isStopping) return;
    last = online;
    log(`在线 ${online}/${total}`);
  }, LOG_EVERY_MS);
  await fleet.start();
}

async function runPeopleUntilStopped(request: PeopleRequest): Promise<void> {
  const log = (line: string) => process.stdout.write(`模拟用户 ${line}\n`);
  const stopping = new AbortController();
  for (const event of ["SIGINT", "SIGTERM", "disconnect"]) {
    process.on(event, () => stopping.abort());
  }
  log(`${request.count} 位开始活动，服务器 ${request.server}`);
  await runPeople({ ...request, log, signal: stopping.signal });
  log("已离开");
}

/** Cabinets from the credentials file plus those activated now. */
async function withActivated(options: Options, log: (line: string) => void) {
  const cabinets = [...options.cabinets];
  let { mqtt } = options;
  for (const order of options.activations) {
    const parts = { folder: options.journalDir, server: options.server, log };
    const activated = await activate(order, parts);
    cabinets.push(activated.cabinet);
    mqtt ??= activated.mqtt;
  }
  return { cabinets, mqtt: mqtt ?? "" };
}

run().catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
});
