// Command line options: allowed values, defaults and usage errors.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import {
  isCabinetId,
  parseActivationCode,
  parseSimulatedCabinets,
  SIMULATED_CABINETS_FILE,
  type SimulatedCabinet,
  type SimulatedCabinets,
} from "@cabinet/link";
import { type FaultPlan, parseFaults } from "./faults.ts";
import type { DeskAccount } from "./people/desk.ts";

/** Commands as they are typed: under npm, or in an unpacked release. */
const isNpm = process.env.npm_lifecycle_event !== undefined;
const SIMULATE = isNpm ? "npm run simulate --" : "./storage simulate";
const START_DEMO = isNpm ? "npm start -- --demo" : "./storage start --demo";

export const HELP = `模拟柜机：用真实协议把一台或成千上万台柜机连到服务器。

用法
  ${SIMULATE} [选项]

选项
  --cabinets N         只启动凭据文件里的前 N 台（默认全部）
  --activate SN:码     先用激活码激活这台新柜机再连接；可写多次，或写 @文件，每行一个 SN:码
  --credentials 文件   柜机凭据（默认 DATA_DIR/${SIMULATED_CABINETS_FILE}，由 ${START_DEMO} 生成）
  --journal 目录       每台柜机的指令日志（默认 DATA_DIR/simulator）
  --server 地址        服务器地址，例如 http://127.0.0.1:8080（默认取自凭据文件）
  --mqtt 地址          消息服务地址，例如 mqtt://127.0.0.1:1883（默认取自凭据文件）
  --cert 目录          消息服务要求客户端证书（mqtts）时：目录里有 ca.crt，以及每台柜机的 SN.crt 和 SN.key
  --auto-close 毫秒    开门后大约多久有人关门（默认 6000）
  --faults 清单        打开故障，例如 drop=0.1,delay=500,duplicate=0.2,jam=0.05,reboot=0.01
                         drop       每条消息丢失的概率
                         silence    每条上报之后上行中断 5 到 40 秒的概率（连接不断，之后补发）
                         delay      每条消息最多延迟的毫秒数（会打乱次序）
                         duplicate  每条消息重复的概率
                         jam        锁通电后门没有弹开的概率
                         reboot     执行一条指令时断电重启的概率
                         badFile    下载的文件损坏（校验不过）的概率
                         slowFile   下载很慢的概率
                         badInstall 写入固件失败的概率
                         bootLoop   新固件启动失败、恢复原版本的概率
  --people N           不启动柜机，而是启动 N 位用户：他们用小程序接口在已经在线的柜机上存件、取件、
                       取回（未配置短信服务时，用演示账号从控制台“通知记录”查看验证码和取件码）
  --accounts 文件      用户去柜台时用的演示账号（默认 DATA_DIR/demo-accounts.json）
  --pace 毫秒          每位用户大约多久存一次件（默认 20000）
  --seed 整数          随机数种子，相同的种子给出相同的随机序列（默认 1）
  --help               显示本说明

轮换密钥：在控制台“设备接口密钥”轮换后，把新的 kid 和 secret 写进凭据文件里这台柜机的一项。
文件一变就会重读（也可发送 SIGHUP），换了密钥的柜机道别后用新密钥重新连接，不必重启模拟器。

DATA_DIR 默认为 ./data。按 Ctrl-C 停止：每台柜机先报下线再断开。
`;

const DEFAULT_SERVER = "http://127.0.0.1:8080";

/** A wrong command line or file; `message` is for the person who typed it. */
export class UsageError extends Error {}

export interface ActivationOrder {
  readonly sn: string;
  readonly code: string;
}

export interface Options {
  readonly server: string;
  /** Absent: the address that the server returns on activation. */
  readonly mqtt: string | undefined;
  readonly certificates: string | undefined;
  readonly activations: readonly ActivationOrder[];
  readonly cabinets: readonly SimulatedCabinet[];
  /** File of the credentials; absent if all cabinets come by activation. */
  readonly credentialsFile?: string;
  readonly journalDir: string;
  readonly faults: FaultPlan;
  readonly seed: number;
  readonly autoCloseMs: number;
}

/** Options for simulated users instead of cabinets. */
export interface PeopleRequest {
  readonly server: string;
  readonly count: number;
  /** Cabinets that they use. */
  readonly sns: readonly string[];
  readonly accounts: readonly DeskAccount[];
  /** Average time between two uses by one person. */
  readonly paceMs: number;
  readonly seed: number;
  /** Folder of persisted sessions, so that a start does not request sign-in codes again. */
  readonly folder: string;
}

function parseWords(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        cabinets: { type: "string" },
        activate: { type: "string", multiple: true },
        credentials: { type: "string" },
        journal: { type: "string" },
        server: { type: "string" },
        mqtt: { type: "string" },
        cert: { type: "string" },
        faults: { type: "string" },
        people: { type: "string" },
        accounts: { type: "string" },
        pace: { type: "string" },
        seed: { type: "string" },
        "auto-close": { type: "string" },
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    const option = error instanceof Error ? /'(-[^' ]*)/.exec(error.message)?.[1] : undefined;
    throw new UsageError(`看不懂${option ? `选项 ${option}` : "这些参数"}。用 --help 查看用法。`);
  }
}

function wholeNumber(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(value) && value >= least) return value;
  throw new UsageError(`--${name} 的值“${text}”不对，应是不小于 ${least} 的整数。`);
}

function address(name: string, text: string | undefined, schemes: string[]): string | undefined {
  if (text === undefined) return undefined;
  const isUrl = URL.canParse(text) && schemes.includes(new URL(text).protocol);
  if (isUrl) return text;
  const forms = schemes.map((scheme) => `${scheme}//`).join(" 或 ");
  throw new UsageError(`--${name} 的值“${text}”不是地址，应以 ${forms} 开头。`);
}

/** Throws `UsageError`. */
export async function readCredentials(file: string): Promise<SimulatedCabinets> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === "ENOENT"
        ? `没有找到柜机凭据 ${file}。请先运行 ${START_DEMO} 生成演示柜机，或用 --credentials 指定文件。`
        : `读不了柜机凭据 ${file}（${error.code}）。请用启动服务器的同一个账号运行。`,
    );
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UsageError(`柜机凭据 ${file} 不是有效的 JSON。请删除它，再运行 ${START_DEMO}。`);
  }
  const parsed = parseSimulatedCabinets(json);
  if (parsed.ok) return parsed.value;
  throw new UsageError(`柜机凭据 ${file} 的内容不对（${parsed.detail}）。`);
}

/** Parses `SN:码`, or `@文件` with one per line. Error messages never contain the code. */
async function readActivations(words: readonly string[]): Promise<ActivationOrder[]> {
  const orders: ActivationOrder[] = [];
  for (const word of words) {
    const lines = word.startsWith("@")
      ? (await readListFile(word.slice(1))).split("\n").filter((line) => line.trim() !== "")
      : [word];
    for (const line of lines) {
      const [sn = "", code = ""] = line.trim().split(/[:,\t]/);
      if (!isCabinetId(sn) || parseActivationCode(code) === undefined) {
        throw new UsageError(
          `--activate 看不懂${sn ? `编号为“${sn}”的` : "空的"}一项，应为 SN:激活码。`,
        );
      }
      orders.push({ sn, code });
    }
  }
  return orders;
}

async function readListFile(file: string): Promise<string> {
  try {
    return await readFile(path.resolve(file), "utf8");
  } catch {
    throw new UsageError(`读不了 --activate 指定的文件 ${file}。`);
  }
}

/** Reads the accounts that the demo writes next to its cabinets' credentials. */
async function readAccounts(file: string): Promise<DeskAccount[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `读不了演示账号 ${file}（${error.code}）。请先运行 ${START_DEMO}，或用 --accounts 指定文件。`,
    );
  });
  try {
    return JSON.parse(text) as DeskAccount[];
  } catch {
    throw new UsageError(`演示账号 ${file} 不是有效的 JSON。`);
  }
}

/** Limited because each person requests a sign-in code, which is rate-limited by address. */
const MOST_PEOPLE = 50;

async function readPeople(
  words: ReturnType<typeof parseWords>,
  dataDir: string,
  count: number,
): Promise<PeopleRequest> {
  if (count > MOST_PEOPLE) throw new UsageError(`--people 最多 ${MOST_PEOPLE} 位。`);
  const file = words.credentials ?? path.join(dataDir, SIMULATED_CABINETS_FILE);
  const credentials = await readCredentials(path.resolve(file));
  return {
    server: address("server", words.server, ["http:", "https:"]) ?? credentials.server,
    count,
    sns: credentials.cabinets.map(({ cabinetId }) => cabinetId),
    accounts: await readAccounts(
      path.resolve(words.accounts ?? path.join(dataDir, "demo-accounts.json")),
    ),
    paceMs: wholeNumber("pace", words.pace, 1) ?? 20_000,
    seed: wholeNumber("seed", words.seed, 0) ?? 1,
    folder: path.resolve(words.journal ?? path.join(dataDir, "simulator")),
  };
}

/** Reads command line and credentials. Throws `UsageError`; returns "help" for `--help`. */
export async function readOptions(
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<Options | { people: PeopleRequest } | "help"> {
  const words = parseWords(args);
  if (words.help) return "help";
  const dataDir = env.DATA_DIR || "./data";
  const people = wholeNumber("people", words.people, 1);
  if (people !== undefined) return { people: await readPeople(words, dataDir, people) };
  const count = wholeNumber("cabinets", words.cabinets, 1);
  const seed = wholeNumber("seed", words.seed, 0) ?? 1;
  const autoCloseMs = wholeNumber("auto-close", words["auto-close"], 100) ?? 6_000;
  const server = address("server", words.server, ["http:", "https:"]);
  const mqtt = address("mqtt", words.mqtt, ["mqtt:", "mqtts:"]);
  let faults: FaultPlan;
  try {
    faults = parseFaults(words.faults ?? "");
  } catch (error) {
    throw new UsageError(`--faults：${error instanceof Error ? error.message : error}。`);
  }
  const activations = await readActivations(words.activate ?? []);
  const common = {
    activations,
    certificates: words.cert,
    journalDir: words.journal ?? path.join(dataDir, "simulator"),
    faults,
    seed,
    autoCloseMs,
  };
  if (activations.length > 0 && words.credentials === undefined) {
    return { server: server ?? DEFAULT_SERVER, mqtt, cabinets: [], ...common };
  }
  const file = words.credentials ?? path.join(dataDir, SIMULATED_CABINETS_FILE);
  const credentials = await readCredentials(path.resolve(file));
  const known = credentials.cabinets.length;
  if (known === 0) throw new UsageError(`柜机凭据 ${file} 里一台柜机也没有。`);
  if (count !== undefined && count > known) {
    throw new UsageError(`凭据文件里只有 ${known} 台柜机，启动不了 ${count} 台。`);
  }
  return {
    server: server ?? credentials.server,
    mqtt: mqtt ?? credentials.mqtt,
    cabinets: credentials.cabinets.slice(0, count),
    credentialsFile: path.resolve(file),
    ...common,
  };
}
