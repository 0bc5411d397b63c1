// Benchmarks a remote opening from click to lock: a simulated cabinet on the real link, and an
// operator over HTTP who re-reads the command on each push event, as the console does.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { LIVE_PATH, type LiveEvent } from "@cabinet/contract/live/live.rules.ts";
import type { SimulatedCabinet } from "@cabinet/link";
import { issueCabinetSecret } from "../apps/server/src/features/link/device/index.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { fileJournal } from "../apps/simulator/src/journal.ts";
import { Machine } from "../apps/simulator/src/machine.ts";
import { mqttTransport } from "../apps/simulator/src/mqtt-transport.ts";
import { realWorld } from "../apps/simulator/src/world.ts";
import type { BenchServer } from "./bench-server.ts";
import { type Figure, percentile } from "./figures.ts";

const COMPARTMENTS = 200;
const OPENS = 600;
const WARM_UP = 30;
/** Short enough that every compartment is closed long before it is opened again. */
const AUTO_CLOSE_MS = 1_500;
/** Shortest opening time of the simulated door; subtracted, it is not part of the round trip. */
const SENSOR_MS = 30;
const GOAL_MS = 50;

export async function benchCommand(benchServer: BenchServer): Promise<Figure[]> {
  const { id, identity } = await insertCabinet(benchServer);
  const { server } = benchServer;
  // random() = 0: the sensor always takes its shortest time, and the goods stay untouched.
  const world = { ...realWorld(1), random: () => 0 };
  const machine = new Machine(
    identity,
    world,
    mqttTransport(server.origin, `mqtt://127.0.0.1:${server.mqttPort}`),
    fileJournal(path.join(server.dataDir, "bench-journal"), identity.cabinetId),
    {
      autoCloseMs: AUTO_CLOSE_MS,
      isJammed: () => false,
      losesPowerAt: () => false,
      onTrouble: (message) => console.error(message),
    },
  );
  await machine.start();
  const ticker = setInterval(() => machine.tick(), 1_000);
  while (!machine.hasSession()) await sleep(20);
  const watch = await watchCommands(benchServer, id);
  const acked: number[] = [];
  const confirmed: number[] = [];
  for (let round = 0; round < WARM_UP + OPENS; round++) {
    const times = await openDoor(benchServer, watch, id, (round % COMPARTMENTS) + 1);
    if (round < WARM_UP) continue;
    acked.push(times.acked);
    confirmed.push(times.confirmed - SENSOR_MS);
  }
  clearInterval(ticker);
  watch.stop();
  await machine.stop();
  const part = `远程开门，${OPENS} 次，从点击到操作员经推送看到`;
  return [
    { part, name: "已执行（p50）", value: percentile(acked, 0.5), unit: "毫秒" },
    {
      part,
      name: "已执行（p99）",
      value: percentile(acked, 0.99),
      unit: "毫秒",
      goal: { atMost: GOAL_MS },
    },
    { part, name: "已开门，减去门磁时间（p50）", value: percentile(confirmed, 0.5), unit: "毫秒" },
    {
      part,
      name: "已开门，减去门磁时间（p99）",
      value: percentile(confirmed, 0.99),
      unit: "毫秒",
      goal: { atMost: GOAL_MS },
    },
  ];
}

async function insertCabinet(
  benchServer: BenchServer,
): Promise<{ id: number; identity: SimulatedCabinet }> {
  const { tenantId } = benchServer.operator;
  const [sn, kid] = ["BENCHDOORS", "bench"];
  return benchServer.database.transaction("platform", async (db) => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into cabinet (tenant_id, sn, name, model_id, lifecycle)
      select ${tenantId}, ${sn}, '压测开门柜', min(id), 'ACTIVE' from cabinet_model returning id`);
    await db.run(sql`
      insert into compartment (tenant_id, cabinet_id, no, size, board_address, layout_column,
        layout_row)
      select ${tenantId}, ${id}, no, 'S', '01-' || no, 1, no
      from generate_series(1, ${COMPARTMENTS}) no`);
    const secret = await issueCabinetSecret(db, { tenantId, cabinetId: id, sn, kid });
    const compartments = Array.from({ length: COMPARTMENTS }, (_, index) => ({
      no: index + 1,
      sides: ["FRONT"] as ["FRONT"],
    }));
    return { id, identity: { cabinetId: sn, kid, secret, side: "SINGLE", compartments } };
  });
}

interface Watch {
  /** Resolves on the first event since the last call. */
  changed(): Promise<void>;
  stop(): void;
}

async function watchCommands({ server, headers }: BenchServer, cabinetId: number): Promise<Watch> {
  const controller = new AbortController();
  const response = await fetch(server.origin + LIVE_PATH, { headers, signal: controller.signal });
  let isChanged = false;
  let notify = () => {};
  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      for (const line of decoder.decode(chunk).split("\n")) {
        if (!line.startsWith("data: ")) continue;
        const event: LiveEvent = JSON.parse(line.slice(6));
        if (event.topic !== "command" || event.cabinetId !== cabinetId) continue;
        isChanged = true;
        notify();
      }
    }
  }
  read().catch((error) => {
    if (!controller.signal.aborted) throw error;
  });
  return {
    async changed() {
      if (!isChanged) {
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
      isChanged = false;
    },
    stop: () => controller.abort(),
  };
}

async function openDoor(
  benchServer: BenchServer,
  watch: Watch,
  cabinetId: number,
  no: number,
): Promise<{ acked: number; confirmed: number }> {
  const clickedAt = performance.now();
  let command = await call(benchServer, commandContract.open, cabinetId, {
    no,
    reason: "压测开门",
  });
  let acked: number | undefined;
  for (;;) {
    if (command.ackedAt) acked ??= performance.now() - clickedAt;
    if (command.settledAt) break;
    await watch.changed();
    command = await call(benchServer, commandContract.get, command.id);
  }
  if (command.state !== "CONFIRMED" || acked === undefined) {
    throw new Error(`${no} 号格口：${command.state} ${command.detail}`);
  }
  return { acked, confirmed: performance.now() - clickedAt };
}

async function call(
  { server, headers }: BenchServer,
  spec: EndpointSpec,
  id: number | string,
  body?: object,
): Promise<Command> {
  const response = await fetch(server.origin + urlPath(spec).replace("{id}", String(id)), {
    method: spec.method,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const reply = (await response.json()) as { code: number; data: Command; errMsg: string };
  if (reply.code !== 0) throw new Error(reply.errMsg);
  return reply.data;
}
