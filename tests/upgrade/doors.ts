// Simulated cabinets of one tenant, and people who open their doors without a pause.
import { randomBytes } from "node:crypto";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { deviceStockContract } from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { hasResult } from "@cabinet/contract/fleet/command/command.rules.ts";
import { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import { activate } from "../../apps/simulator/src/activation.ts";
import { fileJournal } from "../../apps/simulator/src/journal.ts";
import { Machine } from "../../apps/simulator/src/machine.ts";
import { mqttTransport } from "../../apps/simulator/src/mqtt-transport.ts";
import { realWorld } from "../../apps/simulator/src/world.ts";
import { until } from "../device/device-fleet.ts";
import type { Rotation } from "./rotation.ts";

const DOORS = 4;
const TICK_MS = 200;
/** Forty cabinets of one account: sooner, the looks alone would use up its share of the server. */
const LOOK_EVERY_MS = 250;
/** Keeps the reports of a cabinet below their rate limit. */
const PAUSE_MS = 400;
const AUTO_CLOSE_MS = 100;
/** Far beyond the goal, because other tests use the machine; `npm run drill` asserts the goal. */
const OPENED_MS = 120_000;

interface Opened {
  id: number;
  sn: string;
  machine: Machine;
  /** Openings so far that began and ended. */
  confirmed: number;
}

/** The first password of a process may take longer than a call on a busy machine: 服务繁忙 asks to repeat it. */
async function makeTenant(rotation: Rotation, repeats = 5): Promise<{ id: number }> {
  const account = {
    ...{ username: "upgrade-1", displayName: "升级", phone: "" },
    password: randomBytes(16).toString("hex"),
  };
  try {
    return await rotation.request(tenancyContract.create, { body: { name: "升级租户", account } });
  } catch (error) {
    if (repeats === 0 || !(error as Error).message.includes(" 503 ")) throw error;
    return makeTenant(rotation, repeats - 1);
  }
}

export class Doors {
  /** Openings that were accepted and did not end as 已开门. */
  readonly failures: string[] = [];
  readonly #rotation: Rotation;
  readonly #cabinets: Opened[];
  readonly #accepted: string[] = [];
  readonly #lateAnswerMs: number;
  readonly #ticker: NodeJS.Timeout;
  #people: Promise<unknown> = Promise.resolve();
  #isOver = false;

  private constructor(rotation: Rotation, cabinets: Opened[], lateAnswerMs: number) {
    this.#rotation = rotation;
    this.#lateAnswerMs = lateAnswerMs;
    this.#cabinets = cabinets;
    this.#ticker = setInterval(() => {
      for (const { machine } of cabinets) machine.tick();
    }, TICK_MS);
  }

  /**
   * Registers and activates the cabinets by calls of the server in rotation, and connects them. An opening without an answer
   * may stay unknown for `lateAnswerMs` after its request: the platform calls it so after 12 s, and takes a later answer.
   */
  static async open(
    rotation: Rotation,
    {
      count,
      folder,
      server,
      mqttUrl,
      lateAnswerMs,
    }: { count: number; folder: string; server: string; mqttUrl: string; lateAnswerMs: number },
  ): Promise<Doors> {
    const layout = Array.from({ length: DOORS }, (_, at) => ({
      ...{ no: at + 1, size: "S" as const, column: 1, row: at + 1, rowSpan: 1 },
      boardAddress: `01-0${at + 1}`,
    }));
    const model = await rotation.request(cabinetModelContract.create, {
      body: {
        ...{ name: "升级柜", side: "SINGLE", vendor: "", capabilities: [], remark: "" },
        ...{ heartbeatSeconds: 10, offlineSeconds: 60 },
        layout: { columns: 1, rows: DOORS, cells: layout },
      },
    });
    const tenant = await makeTenant(rotation);
    const cabinets: Opened[] = [];
    for (let at = 0; at < count; at++) {
      const sn = `UPGRADE${String(at).padStart(3, "0")}`;
      const added = await rotation.request(deviceStockContract.add, {
        body: { sn, modelId: model.id },
      });
      const stock = await rotation.request(deviceStockContract.list, { query: { keyword: sn } });
      const stockIds = stock.list.map(({ id }) => id);
      await rotation.request(deviceStockContract.assign, {
        body: { stockIds, tenantId: tenant.id },
      });
      const order = { sn, code: added.activationCode };
      const { cabinet: identity } = await activate(order, { folder, server, log: () => {} });
      const found = await rotation.request(cabinetContract.list, { query: { keyword: sn } });
      const machine = new Machine(
        identity,
        realWorld(at),
        mqttTransport(server, mqttUrl),
        fileJournal(path.join(folder, "journals"), sn),
        {
          autoCloseMs: AUTO_CLOSE_MS,
          isJammed: () => false,
          losesPowerAt: () => false,
          onTrouble: () => {},
        },
      );
      cabinets.push({ id: found.list[0]?.id ?? 0, sn, machine, confirmed: 0 });
    }
    const doors = new Doors(rotation, cabinets, lateAnswerMs);
    await Promise.all(cabinets.map(({ machine }) => machine.start()));
    await until("all sessions", () => cabinets.every(({ machine }) => machine.hasSession()));
    doors.#people = Promise.all(cabinets.map((cabinet) => doors.#operate(cabinet)));
    return doors;
  }

  async #operate(cabinet: Opened): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      // A cabinet refuses to open a door that stands open, and closes it late on a busy machine.
      while (cabinet.machine.hardware.openDoors() > 0) await sleep(TICK_MS);
      const body = { no: 1 + (turn % DOORS), reason: "升级演练" };
      const opened = await this.#rotation.call(commandContract.open, { id: cabinet.id, body });
      if (opened) await this.#follow(cabinet, opened.id);
      await sleep(PAUSE_MS);
    }
  }

  async #follow(cabinet: Opened, id: string): Promise<void> {
    this.#accepted.push(id);
    const began = performance.now();
    for (;;) {
      const command = await this.#rotation.call(commandContract.get, { id });
      if (!command) return; // a failure of the rotation
      const mayBeLate =
        command.state === "UNKNOWN" && performance.now() - began < this.#lateAnswerMs;
      if (command.state === "CONFIRMED") cabinet.confirmed++;
      else if (hasResult(command.state) && !mayBeLate) {
        const isOpened = cabinet.machine.hardware.pulses.some(({ cmdId }) => cmdId === id);
        this.failures.push(
          `${cabinet.sn}: ${command.state} ${command.detail}, the lock ${isOpened ? "opened" : "did not"}`,
        );
      } else {
        await sleep(LOOK_EVERY_MS);
        continue;
      }
      return;
    }
  }

  /** Waits until every cabinet has opened a door that was asked for from now on; returns the seconds that it took. */
  async untilAllOpen(): Promise<number> {
    const began = performance.now();
    // The opening under way may have begun before.
    const goals = this.#cabinets.map((cabinet) => ({ cabinet, goal: cabinet.confirmed + 2 }));
    const isDone = () => goals.every(({ cabinet, goal }) => cabinet.confirmed >= goal);
    await until(
      "an opening of every cabinet",
      () => this.failures.length > 0 || this.#rotation.failures.length > 0 || isDone(),
      OPENED_MS,
    );
    return (performance.now() - began) / 1000;
  }

  /** Ends the openings; returns those that were accepted, and how often each door command pulsed a lock. */
  async stop(): Promise<{ accepted: string[]; pulses: string[] }> {
    this.#isOver = true;
    await this.#people;
    clearInterval(this.#ticker);
    await Promise.all(this.#cabinets.map(({ machine }) => machine.stop()));
    const pulses = this.#cabinets.flatMap(({ machine }) => machine.hardware.pulses);
    return { accepted: this.#accepted, pulses: pulses.map(({ cmdId }) => cmdId) };
  }
}
