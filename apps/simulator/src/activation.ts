// Activates a simulated cabinet: persists its claim, retries with backoff, keeps the credentials.
import { mkdir, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ActivationReply,
  newActivationClaim,
  parseActivationReply,
  parseSimulatedCabinets,
  type SimulatedCabinet,
} from "@cabinet/link";
import { type ActivationOrder, UsageError } from "./options.ts";

/** Persisted activation state of one cabinet; `identity` is absent until activated. */
interface Kept {
  claim: string;
  identity?: { server: string; mqtt: string; cabinets: SimulatedCabinet[] };
}

const TIMEOUT_MS = 10_000;
const ATTEMPTS = 12;
const LONGEST_WAIT_MS = 30_000;

async function readKept(file: string): Promise<Kept | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return text === undefined ? undefined : JSON.parse(text);
}

/** Writes atomically (temporary file, fsync, rename), readable by the owner only. */
async function keep(file: string, kept: Kept): Promise<void> {
  const handle = await open(`${file}.new`, "w", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(kept)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

type Answer =
  | { kind: "given"; reply: ActivationReply }
  | { kind: "refused"; message: string }
  | { kind: "later"; message: string };

async function ask(server: string, body: object): Promise<Answer> {
  const url = new URL("/device/v1/activate", server);
  let reply: Response;
  let envelope: unknown;
  try {
    reply = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    envelope = await reply.json();
  } catch {
    return { kind: "later", message: `连不上服务器 ${url.origin}` };
  }
  const { data, errMsg } = (envelope ?? {}) as { data?: unknown; errMsg?: unknown };
  const given = parseActivationReply(data);
  if (reply.ok && given) return { kind: "given", reply: given };
  const message = typeof errMsg === "string" && errMsg ? errMsg : `HTTP ${reply.status}`;
  const isPassing = reply.status === 429 || reply.status >= 500;
  return { kind: isPassing ? "later" : "refused", message };
}

/** Returns the cabinet's persisted credentials, or activates it. Throws `UsageError`. */
export async function activate(
  order: ActivationOrder,
  { folder, server, log }: { folder: string; server: string; log: (line: string) => void },
): Promise<{ mqtt: string; cabinet: SimulatedCabinet }> {
  const { sn, code } = order;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${sn}.activation`);
  const known = await readKept(file);
  const parsed = known?.identity && parseSimulatedCabinets(known.identity);
  const [cabinet] = parsed?.ok ? parsed.value.cabinets : [];
  if (parsed?.ok && cabinet) return { mqtt: parsed.value.mqtt, cabinet };
  const claim = known?.claim ?? newActivationClaim();
  // Persist the claim before the request: after a lost response the retry must send the same one.
  if (!known) await keep(file, { claim });
  for (let attempt = 0; ; attempt++) {
    const answer = await ask(server, { sn, code, claim });
    if (answer.kind === "given") {
      const identity = identityOf(sn, server, answer.reply);
      await keep(file, { claim, identity });
      log(`${sn} 已激活`);
      return { mqtt: identity.mqtt, cabinet: identity.cabinets[0] };
    }
    if (answer.kind === "refused" || attempt + 1 >= ATTEMPTS) {
      throw new UsageError(`${sn}:${answer.message}`);
    }
    log(`${sn} ${answer.message}，稍后再试`);
    await sleep(Math.random() * Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** attempt));
  }
}

const doorsOf: Record<ActivationReply["side"], SimulatedCabinet["compartments"][number]["sides"]> =
  { SINGLE: ["FRONT"], DOUBLE: ["FRONT", "BACK"] };

function identityOf(sn: string, server: string, reply: ActivationReply) {
  const { kid, secret, side, mqtt } = reply;
  const compartments = reply.compartments.map(({ no }) => ({ no, sides: doorsOf[side] }));
  const cabinet: SimulatedCabinet = { cabinetId: sn, kid, secret, side, compartments };
  return { server, mqtt, cabinets: [cabinet] as [SimulatedCabinet] };
}
