// Front and back door of a compartment, raced for by several people through server, broker and
// cabinet.
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { hasResult } from "@cabinet/contract/fleet/command/command.rules.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { Person } from "../support/test-server.ts";
import { type DeviceFleet, type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";

const fleet = useDeviceFleet();
let person: Person;

beforeAll(async () => {
  person = (await fleet.testServer.makeTenant()).people[1];
  await fleet.startGateway();
});

const open = (cabinet: FleetCabinet, side: "FRONT" | "BACK") =>
  fleet.testServer.call(commandContract.open, person, {
    params: { id: cabinet.id },
    body: { no: 1, reason: "客户来电", side },
  });

async function makeDoubleSided(options: Parameters<DeviceFleet["switchOn"]>[1]) {
  const cabinet = await fleet.addCabinet({ tenantId: person.tenantId, side: "DOUBLE", doors: 1 });
  const machine = await fleet.switchOn(cabinet, options);
  await until("a session", () => machine.hasSession());
  await until("known doors", async () => {
    const { known } = await fleet.findCabinet<{ known: boolean }>(
      cabinet,
      "not exists (select from compartment comp where comp.cabinet_id = cabinet.id and (comp.door_front <> 'CLOSED' or comp.door_back <> 'CLOSED' or comp.reported_n is null)) as known",
    );
    return known;
  });
  return { cabinet, machine };
}

describe("double-sided compartment", () => {
  it("never has both doors open, however many openings race", async () => {
    const { cabinet, machine } = await makeDoubleSided({ autoCloseMs: 250, seed: 7 });
    let together = 0;
    const watch = setInterval(() => {
      const [row] = machine.hardware.report();
      if (row?.front === "OPEN" && row.back === "OPEN") together++;
    }, 1);
    try {
      for (let round = 0; round < 12; round++) {
        // Alternate the order, so that neither side always comes first.
        const sides = round % 2 ? (["FRONT", "BACK"] as const) : (["BACK", "FRONT"] as const);
        const asked = await Promise.all(
          [...sides, ...sides].map(async (side) => open(cabinet, side)),
        );
        // The cabinet may reject the first command at once; the next request is then accepted.
        const first = asked.find(({ code }) => code === 0);
        if (!first) continue;
        // Request the other side until the first door is closed again.
        const other = first.data.side === "FRONT" ? "BACK" : "FRONT";
        await until("the other door's turn", async () => (await open(cabinet, other)).code === 0);
        await until("the end of every command", async () =>
          (await fleet.findCommands(cabinet)).every(({ state }) => hasResult(state)),
        );
      }
    } finally {
      clearInterval(watch);
    }
    expect(together).toBe(0);
    const sidesOpened = new Set(machine.hardware.pulses.map(({ side }) => side));
    expect(sidesOpened.size).toBe(2);
    expect(machine.hardware.pulses.length).toBeGreaterThanOrEqual(12);
  });

  it("other door open or of unknown state: opening refused, with the reason", async () => {
    const { cabinet } = await makeDoubleSided({});
    const setBack = (state: string) =>
      fleet.testServer.database.transaction("platform", (db) =>
        db.run(sql`update compartment set door_back = ${state} where cabinet_id = ${cabinet.id}`),
      );
    await setBack("UNKNOWN");
    expect((await open(cabinet, "FRONT")).errMsg).toBe(
      "1 号格口背面门的状态未知，双面门不能同时打开：请现场确认背面门已关好，待门磁上报“已关”后再开",
    );
    await setBack("OPEN");
    expect((await open(cabinet, "FRONT")).errMsg).toContain("另一面门未关");
    await setBack("CLOSED");
    expect((await open(cabinet, "FRONT")).code).toBe(0);
  });
});

describe("command frames", () => {
  it("keep the command, each stage and the door's event as sent", async () => {
    const { cabinet } = await makeDoubleSided({});
    const { data } = await open(cabinet, "BACK");
    const frames = await until("every message", async () => {
      const reply = await fleet.testServer.call(commandContract.frames, person, {
        params: { id: data.id },
      });
      return reply.data.length >= 4 && reply.data;
    });
    const messages = frames.map(({ direction, topic, message }) => {
      const { type, stage } = JSON.parse(message);
      return [direction, topic, type ?? stage].join(" ");
    });
    expect(messages[0]).toBe("DOWN dn/cmd OPEN");
    expect(messages.slice(1).sort()).toEqual([
      "UP up/ack ACKED",
      "UP up/ack CONFIRMED",
      "UP up/evt DOOR_OPENED",
    ]);
    const sent = JSON.parse(frames[0]?.message ?? "");
    expect(sent).toMatchObject({ v: 1, cmdId: data.id, no: 1, side: "BACK" });
    expect(sent.exp - sent.iat).toBe(15_000);
    const ack = frames.find(({ topic }) => topic === "up/ack");
    expect(JSON.parse(ack?.message ?? "")).toMatchObject({ cmdId: data.id, bootNo: 1, seq: 1 });
  });
});
