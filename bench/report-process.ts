// Child process of cabinets that send door, sensor and heartbeat reports without pause.
import { readFile } from "node:fs/promises";
import {
  deriveKeys,
  makeConnectPassword,
  parseSimulatedCabinets,
  type SealedMessage,
  type SimulatedCabinet,
  sealUp,
} from "@cabinet/link";
import { mqttTransport } from "../apps/simulator/src/mqtt-transport.ts";
import type { Session } from "../apps/simulator/src/transport.ts";

export interface ReportRun {
  cabinets: number;
  /** Unacknowledged reports in flight per cabinet. */
  window: number;
  seconds: number;
}

export interface ReportResult {
  perSecond: number;
  ackMs: number[];
  /** Numbered reports that each cabinet sent. */
  sent: { sn: string; n: number }[];
}

/** Higher than the boot number of any earlier fleet run of these cabinets. */
const BOOT_NO = 1_000;
const CONNECTS_AT_ONCE = 50;

const [credentials = ""] = process.argv.slice(2);
const parsed = parseSimulatedCabinets(JSON.parse(await readFile(credentials, "utf8")));
if (!parsed.ok) throw new Error(parsed.detail);
const { server, mqtt, cabinets } = parsed.value;
const transport = mqttTransport(server, mqtt);

class Reporter {
  n = 0;
  readonly #identity: SimulatedCabinet;
  readonly #keys: ReturnType<typeof deriveKeys>;
  #session: Session | undefined;

  constructor(identity: SimulatedCabinet) {
    this.#identity = identity;
    this.#keys = deriveKeys(identity.secret);
  }

  get sent() {
    return { sn: this.#identity.cabinetId, n: this.n };
  }

  async connect(): Promise<void> {
    const { cabinetId, kid, side } = this.#identity;
    const { nonce, session } = await transport.connect(
      {
        cabinetId,
        password: (given) =>
          makeConnectPassword({ cabinetId, kid, nonce: given, keys: this.#keys }),
        will: (given) => sealUp(this.#keys, cabinetId, "will", { nonce: given }),
      },
      { onMessage: () => {}, onClose: () => {} },
    );
    this.#session = session;
    const birth = sealUp(this.#keys, cabinetId, "birth", {
      ...this.#head(),
      nonce,
      part: 1,
      parts: 1,
      lastSeq: 0,
      side,
      appVersion: "load-1",
      capabilities: ["OPEN"],
      configVersion: 1,
      journal: [],
      compartments: [],
    });
    await session.publish(birth);
  }

  /** Resolves on the acknowledgement. */
  async report(turn: number): Promise<void> {
    await this.#session?.publish(this.#next(turn));
  }

  #head() {
    this.n++;
    return { bootNo: BOOT_NO, n: this.n, mono: this.n * 1_000 };
  }

  #next(turn: number): SealedMessage {
    const { cabinetId, compartments } = this.#identity;
    const no = compartments[turn % compartments.length]?.no ?? 1;
    const row = { no, front: turn % 2 ? "OPEN" : "CLOSED", item: "EMPTY" } as const;
    if (turn % 4 === 0) {
      const more = { full: false, part: 1, parts: 1, compartments: [row] };
      return sealUp(this.#keys, cabinetId, "state", { ...this.#head(), ...more });
    }
    if (turn % 4 === 2) {
      const head = { bootNo: BOOT_NO, n: this.n, mono: this.n * 1_000 + turn };
      const beat = { signalDbm: -70, temperatureC: 20, openDoors: 0, badFrames: 0 };
      // QoS 1 instead of 0, so that the acknowledgement confirms storage.
      return { ...sealUp(this.#keys, cabinetId, "hb", { ...head, ...beat }), qos: 1 };
    }
    const type = turn % 2 ? "DOOR_OPENED" : "DOOR_CLOSED";
    const event = { type, side: "FRONT", compartment: row } as const;
    return sealUp(this.#keys, cabinetId, "evt", { ...this.#head(), ...event });
  }
}

async function run({ cabinets: count, window, seconds }: ReportRun): Promise<ReportResult> {
  const reporters = cabinets.slice(0, count).map((identity) => new Reporter(identity));
  for (let from = 0; from < reporters.length; from += CONNECTS_AT_ONCE) {
    await Promise.all(reporters.slice(from, from + CONNECTS_AT_ONCE).map((one) => one.connect()));
  }
  const ackMs: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  async function sendReports(reporter: Reporter, first: number): Promise<void> {
    for (let turn = first; performance.now() < endsAt; turn += window) {
      const sentAt = performance.now();
      await reporter.report(turn);
      ackMs.push(performance.now() - sentAt);
    }
  }
  const windows = Array.from({ length: window }, (_, index) => index);
  await Promise.all(reporters.flatMap((one) => windows.map((first) => sendReports(one, first))));
  const took = (performance.now() - startedAt) / 1_000;
  return { perSecond: ackMs.length / took, ackMs, sent: reporters.map(({ sent }) => sent) };
}

process.on("message", async (request: ReportRun) => {
  process.send?.(await run(request), () => process.exit(0));
});
process.send?.("ready");
