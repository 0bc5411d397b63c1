// One absurd value in any field of any report: the cabinet stays openable, its doors known, and its pages are answered.
import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { cabinetEventContract } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { sealFrame, upTopic } from "@cabinet/link";
import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import ranges from "../../packages/cabinet-link/vectors/ranges.json" with { type: "json" };
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();
let person: Person;

beforeAll(async () => {
  person = (await fleet.testServer.makeTenant()).people[1];
  await fleet.startGateway();
});

const absurd = [0, -1, 2 ** 31, 2 ** 32 - 1, Number.MAX_SAFE_INTEGER, null, ""];

type Fields = Record<string, unknown>;
type Kind = "birth" | "state" | "evt" | "ack" | "hb" | "will";
type Path = (string | number)[];

/** Paths of the numbers and texts within a message. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value === "number" || typeof value === "string") return [path];
  if (typeof value !== "object" || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((each, at) => [at, each])
    : Object.entries(value);
  return entries.flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

function withValue(message: Fields, path: Path, value: unknown): Fields {
  const copy = structuredClone(message);
  let holder = copy as Record<string | number, unknown>;
  for (const name of path.slice(0, -1)) holder = holder[name] as typeof holder;
  holder[path.at(-1) ?? ""] = value;
  return copy;
}

/** A cabinet that answers all requests as it should, and sends one absurd report after the other. */
class Glitching {
  readonly cabinet: FleetCabinet;
  readonly raw: RawCabinet;
  readonly opened = new Map<string, number>();
  configVersion = 1;
  item = "EMPTY";
  private answered = 0;
  private isOver = false;

  static async make(): Promise<Glitching> {
    const cabinet = await fleet.addCabinet({ tenantId: person.tenantId, doors: 1 });
    const it = new Glitching(cabinet, await RawCabinet.connect(fleet, cabinet));
    await it.raw.greet({ compartments: [it.row()] });
    it.raw.client.on("message", () => setImmediate(() => it.answer()));
    return it;
  }

  private constructor(cabinet: FleetCabinet, raw: RawCabinet) {
    this.cabinet = cabinet;
    this.raw = raw;
  }

  row() {
    return { no: 1, front: "CLOSED", item: this.item } as never;
  }

  head() {
    const n = ++this.raw.n;
    return { bootNo: 1, n, mono: n * 1_000, at: Date.now() };
  }

  private async answer(): Promise<void> {
    for (const message of this.raw.received.slice(this.answered)) {
      this.answered++;
      if (this.isOver) return;
      if (message.kind === "cfg") await this.takeConfig(message.message.version);
      if (message.kind !== "cmd" || !message.command.ok) continue;
      const { message: command } = message.command;
      const compartments = [this.row()];
      if (command.type === "BIRTH") {
        const { configVersion } = this;
        await this.raw.send(this.raw.birth({ compartments, configVersion }));
      } else if (command.type === "RESYNC") {
        const { cmdId } = command;
        const state = { ...this.head(), full: true, cmdId, part: 1, parts: 1, compartments };
        await this.raw.send(this.raw.seal("state", state));
      } else if (command.type === "OPEN") {
        const { cmdId, seq } = command;
        this.opened.set(cmdId, seq);
        for (const stage of ["ACKED", "CONFIRMED"] as const) {
          await this.raw.send(this.raw.seal("ack", { ...this.head(), cmdId, seq, stage }));
        }
      }
    }
  }

  private async takeConfig(version: number): Promise<void> {
    if (version <= this.configVersion) return;
    this.configVersion = version;
    const config = { version, values: {} };
    const state = { ...this.head(), full: false, part: 1, parts: 1, compartments: [], config };
    await this.raw.send(this.raw.seal("state", state));
  }

  /** Publishes a message that no schema has checked. */
  async say(kind: Kind, message: Fields): Promise<void> {
    const topic = upTopic(this.cabinet.sn, kind);
    const payload = sealFrame(this.raw.keys.up, topic, { v: 1, ...message });
    await this.raw.client.publishAsync(topic, payload, { qos: 1 });
  }

  /** A valid message of the kind with all fields, as the cabinet's next one. */
  valid(kind: Kind): Fields {
    const message = structuredClone((ranges.reports as Record<Kind, Fields>)[kind]);
    if (kind === "will") return message;
    Object.assign(message, this.head());
    if (kind === "birth") Object.assign(message, { nonce: this.raw.nonce, lastSeq: 0 });
    if (kind === "birth") message.configVersion = this.configVersion;
    if (kind === "evt") {
      message.type = "DOOR_CLOSED";
      message.compartment = this.row();
    }
    if (kind === "birth" || kind === "state") message.compartments = [this.row()];
    if (kind === "state") message.config = { version: this.configVersion, values: { volume: 5 } };
    return message;
  }

  /** The sensors' next report is believed: doors are not frozen in an older state. */
  async reportsItem(what: string): Promise<void> {
    this.item = this.item === "EMPTY" ? "UNKNOWN" : "EMPTY";
    const compartments = [this.row()];
    const state = { ...this.head(), full: false, part: 1, parts: 1, compartments };
    await this.raw.send(this.raw.seal("state", state));
    await until(`the item after ${what}`, async () => {
      const { item } = await fleet.testServer.database.read("platform", (db) =>
        db.one<{ item: string }>(sql`
          select item from compartment where cabinet_id = ${this.cabinet.id}`),
      );
      return item === this.item;
    });
  }

  async opens(what: string): Promise<void> {
    await until(`a session after ${what}`, async () => {
      const found = await fleet.findCabinet<{ isGreeted: boolean }>(this.cabinet, "is_greeted");
      return found.isGreeted;
    });
    const id = await until(`an opening after ${what}`, async () => {
      const { code, data } = await fleet.testServer.call(commandContract.open, person, {
        params: { id: this.cabinet.id },
        body: { no: 1, reason: "客户来电" },
      });
      return code === 0 && data.id;
    });
    await until(`an open door after ${what}`, async () => {
      const commands = await fleet.findCommands(this.cabinet);
      return commands.some((command) => command.id === id && command.state === "CONFIRMED");
    });
  }

  async showsItsPages(what: string): Promise<void> {
    const { id } = this.cabinet;
    const { call } = fleet.testServer;
    const pages = [
      () => call(cabinetEventContract.list, person, { query: { cabinetId: id, pageSize: 100 } }),
      () => call(compartmentContract.events, person, { params: { id, no: 1 } }),
      () => call(compartmentContract.list, person, { params: { id } }),
      () => call(cabinetContract.get, person, { params: { id } }),
      () => call(commandContract.list, person, { query: { cabinetId: id } }),
    ];
    for (const page of pages) {
      // The server sheds load, and limits what one account may ask for.
      const answer = await until(`a page after ${what}`, async () => {
        const { status, code } = await page();
        return status !== 503 && status !== 429 && { status, code };
      });
      expect(answer, what).toEqual({ status: 200, code: 0 });
    }
  }

  end(): void {
    this.isOver = true;
    this.raw.cut();
  }
}

// Concurrent: most of the time passes until a birth is requested in place of a report that was dropped.
describe.concurrent.each(Object.keys(ranges.reports) as Kind[])("up/%s", (kind) => {
  const fields = leavesOf((ranges.reports as Record<Kind, Fields>)[kind]);

  it("an absurd value in any field: openable, believed, all pages answered", async () => {
    await Promise.all(
      fields.map(async (path) => {
        const cabinet = await Glitching.make();
        for (const value of absurd) {
          const what = `${kind} ${path.join(".")} = ${JSON.stringify(value)}`;
          await cabinet.say(kind, withValue(cabinet.valid(kind), path, value));
          await cabinet.reportsItem(what);
          await cabinet.opens(what);
        }
        await cabinet.showsItsPages(`${kind} ${path.join(".")}`);
        cabinet.end();
      }),
    );
  });
});
