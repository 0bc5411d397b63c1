// Promise D1, step by step: a crash at any step opens a door at most once and never late.
import type { ChildProcess } from "node:child_process";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { hasResult } from "@cabinet/contract/fleet/command/command.rules.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimCommand } from "../../apps/server/src/features/fleet/command/delivery.sql.ts";
import { noteSent } from "../../apps/server/src/features/fleet/command/frame.sql.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { Checkpoint } from "../../apps/simulator/src/command-runner.ts";
import type { Machine } from "../../apps/simulator/src/machine.ts";
import { isDeep } from "../support/deep.ts";
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();
let person: Person;

beforeAll(async () => {
  person = (await fleet.testServer.makeTenant()).people[1];
});

const addCabinet = () => fleet.addCabinet({ tenantId: person.tenantId });

async function open(cabinet: FleetCabinet): Promise<string> {
  const { data, errMsg } = await fleet.testServer.call(commandContract.open, person, {
    params: { id: cabinet.id },
    body: { no: 1, reason: "客户来电" },
  });
  expect(errMsg).toBe("");
  return data.id;
}

async function onlyCommand(cabinet: FleetCabinet) {
  const [command, ...more] = await fleet.findCommands(cabinet);
  expect(more).toEqual([]);
  return command;
}

const settled = (cabinet: FleetCabinet) =>
  until(
    "the command's end",
    async () => {
      const command = await onlyCommand(cabinet);
      return command && hasResult(command.state) && command;
    },
    25_000,
  );

/** Moves the command's deadline this many seconds into the past. */
const age = (cabinet: FleetCabinet, seconds: number) =>
  fleet.testServer.database.transaction("platform", (db) =>
    db.run(sql`
      update command set expires_at = expires_at - make_interval(secs => ${seconds})
      where cabinet_id = ${cabinet.id}`),
  );

const hasSession = (machine: Machine) => until("a session", () => machine.hasSession());

describe("promise D1, gateway killed", () => {
  let gateway: ChildProcess;
  const restart = async () => {
    gateway = await fleet.forkGateway();
  };
  const kill = () => void gateway.kill("SIGKILL");
  const killed = () => until("the end of the gateway", () => gateway.signalCode);
  beforeAll(restart);
  afterAll(async () => {
    kill();
    await killed();
  });

  it("before the command is sent: EXPIRED, no door opens", async () => {
    const cabinet = await addCabinet();
    const machine = await fleet.switchOn(cabinet);
    await hasSession(machine);
    kill();
    await killed();
    await until("the line to be lost", () => !machine.hasSession());
    await open(cabinet);
    await restart();
    await hasSession(machine);
    expect(await settled(cabinet)).toMatchObject({
      state: "EXPIRED",
      detail: "连接已断开，指令未下发，请重新操作",
    });
    expect(machine.hardware.pulses).toEqual([]);
  });

  const steps: Checkpoint[] = isDeep ? ["RECEIVED", "STARTED", "PULSED", "ACKED"] : ["PULSED"];
  it.each(steps)(
    "while the cabinet is at %s: the door opens once, and the command ends CONFIRMED",
    async (at) => {
      const cabinet = await addCabinet();
      const machine = await fleet.switchOn(cabinet, {
        losesPowerAt(checkpoint) {
          if (checkpoint === at) kill();
          return false;
        },
      });
      await hasSession(machine);
      const id = await open(cabinet);
      await killed();
      await restart();
      await hasSession(machine);
      expect(await settled(cabinet)).toMatchObject({ state: "CONFIRMED", id });
      expect(machine.hardware.pulses).toHaveLength(1);
    },
  );
});

describe("promise D1, gateway running", () => {
  beforeAll(() => fleet.startGateway());
  afterAll(() => fleet.stopGateway());

  const ends: [Checkpoint, string, number][] = [
    ["RECEIVED", "EXPIRED", 0],
    ["STARTED", "UNKNOWN", 0],
    ["PULSED", "UNKNOWN", 1],
    ["ACKED", "UNKNOWN", 1],
  ];
  it.concurrent.each(ends)(
    "power loss of the cabinet at %s: the command ends %s after %i pulses",
    async (at, state, pulses) => {
      const cabinet = await addCabinet();
      let isDone = false;
      const machine = await fleet.switchOn(cabinet, {
        isJammed: () => true,
        losesPowerAt(checkpoint) {
          const isNow = checkpoint === at && !isDone;
          isDone ||= isNow;
          return isNow;
        },
      });
      await hasSession(machine);
      await open(cabinet);
      expect(await settled(cabinet)).toMatchObject({ state });
      await hasSession(machine);
      // Longer than both resends (2 s and 5 s), which the cabinet refuses.
      await new Promise((resolve) => setTimeout(resolve, 5_500));
      expect(machine.hardware.pulses).toHaveLength(pulses);
      expect(await onlyCommand(cabinet)).toMatchObject({ state });
    },
  );

  async function greeted() {
    const cabinet = await addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet();
    return { cabinet, raw };
  }

  /** A command that the cabinet's gateway has claimed and not sent. */
  async function claimedOnly({ id: cabinetId }: FleetCabinet) {
    const { tenantId } = person;
    return fleet.testServer.database.transaction({ tenantId }, async (db) => {
      const { id, gatewayId } = await db.one<{ id: string; gatewayId: string }>(sql`
        insert into command (tenant_id, cabinet_id, kind, compartment_no, side, reason, actor_name,
          epoch, expires_at)
        select tenant_id, id, 'OPEN', 1, 'FRONT', '试', '试', epoch, now() + interval '15 s'
        from cabinet where id = ${cabinetId}
        returning id, (select gateway_id from cabinet where id = ${cabinetId})`);
      const key = { tenantId, id };
      expect(await claimCommand(db, key, { id: gatewayId, isShared: false })).toBeTruthy();
      return key;
    });
  }

  it.concurrent("claimed by a gateway that died before sending: EXPIRED at the next birth", async () => {
    const { cabinet, raw } = await greeted();
    await claimedOnly(cabinet);
    expect(await onlyCommand(cabinet)).toMatchObject({ state: "SENT" });
    await raw.greet({ lastSeq: 0 });
    expect(await onlyCommand(cabinet)).toMatchObject({
      state: "EXPIRED",
      detail: "设备没有收到指令，已作废，请重新操作",
    });
    expect(raw.heard("cmd")).toEqual([]);
    raw.cut();
  });

  it.concurrent("noted as sent by a gateway that died, and lost: another one sends it", async () => {
    const { cabinet, raw } = await greeted();
    const key = await claimedOnly(cabinet);
    await fleet.testServer.database.transaction(key, (db) => noteSent(db, key, "{}"));
    const [command] = await until(
      "the command",
      () => raw.heard("cmd").length > 0 && raw.heard("cmd"),
    );
    expect(command).toMatchObject({ command: { ok: true, message: { cmdId: key.id, seq: 1 } } });
    raw.cut();
  });

  it.concurrent("cabinet retired between request and sending: EXPIRED, nothing is sent", async () => {
    const { cabinet, raw } = await greeted();
    const key = await fleet.testServer.database.transaction(
      { tenantId: person.tenantId },
      async (db) => {
        await db.run(sql`update cabinet set lifecycle = 'RETIRED' where id = ${cabinet.id}`);
        return {
          tenantId: person.tenantId,
          ...(await db.one<{ id: string }>(sql`
            insert into command (tenant_id, cabinet_id, kind, compartment_no, side, reason,
              actor_name, epoch, expires_at)
            values (${person.tenantId}, ${cabinet.id}, 'OPEN', 1, 'FRONT', '试', '试',
              (select epoch from cabinet where id = ${cabinet.id}), now() + interval '15 s')
            returning id`)),
        };
      },
    );
    const claim = await fleet.testServer.database.transaction({ tenantId: person.tenantId }, (db) =>
      claimCommand(db, key, { id: "any", isShared: true }),
    );
    expect(claim).toBeNull();
    await until(
      "the word that nothing opened",
      async () => (await onlyCommand(cabinet))?.state === "EXPIRED",
    );
    expect(raw.heard("cmd")).toEqual([]);
    raw.cut();
  });

  it.concurrent("unanswered: the same bytes are resent after 2 s; an answer stops the second resend", async () => {
    const { cabinet, raw } = await greeted();
    const bytes: string[] = [];
    raw.client.on("message", (topic, payload) => {
      if (topic.endsWith("/dn/cmd")) bytes.push(payload.toString());
    });
    const started = performance.now();
    const cmdId = await open(cabinet);
    await until("the first resend", () => bytes.length === 2);
    expect(performance.now() - started).toBeGreaterThan(1_900);
    expect(bytes[1]).toBe(bytes[0]);
    await raw.send(raw.seal("ack", { bootNo: 1, n: 2, mono: 2, cmdId, seq: 1, stage: "ACKED" }));
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect(bytes).toHaveLength(2);
    raw.cut();
  });

  it.concurrent("no answer: UNKNOWN, and a late answer still counts", async () => {
    const { cabinet, raw } = await greeted();
    const cmdId = await open(cabinet);
    await until("sent", async () => (await onlyCommand(cabinet))?.state === "SENT");
    await age(cabinet, 16);
    expect((await onlyCommand(cabinet))?.state).toBe("SENT");
    await age(cabinet, 2);
    expect(await settled(cabinet)).toMatchObject({
      state: "UNKNOWN",
      detail: "设备没有回应，不能确认是否执行",
    });
    const ack = { bootNo: 1, mono: 2, cmdId, seq: 1 };
    await raw.send(raw.seal("ack", { ...ack, n: 2, stage: "CONFIRMED" }));
    await raw.send(raw.seal("ack", { ...ack, n: 3, stage: "UNKNOWN" }));
    await raw.send(raw.seal("ack", { ...ack, n: 4, stage: "REJECTED", reason: "BUSY" }));
    expect(await onlyCommand(cabinet)).toMatchObject({ state: "CONFIRMED", detail: null });
    raw.cut();
  });

  it.concurrent("ack from another cabinet: ignored", async () => {
    const { cabinet, raw } = await greeted();
    const other = await greeted();
    const cmdId = await open(cabinet);
    await until("sent", async () => (await onlyCommand(cabinet))?.state === "SENT");
    const ack = { bootNo: 1, n: 2, mono: 2, cmdId, seq: 1, stage: "CONFIRMED" as const };
    await other.raw.send(other.raw.seal("ack", ack));
    expect(await onlyCommand(cabinet)).toMatchObject({ state: "SENT" });
    raw.cut();
    other.raw.cut();
  });

  it.concurrent("connection lost after the result: settled by the journal of the next birth", async () => {
    const { cabinet, raw } = await greeted();
    const cmdId = await open(cabinet);
    await until("the command", () => raw.heard("cmd").length > 0);
    raw.cut();
    const again = await RawCabinet.connect(fleet, cabinet);
    const journal = [{ cmdId, seq: 1, stage: "NOT_CONFIRMED" as const }];
    await again.greet({ bootNo: 2, lastSeq: 1, journal });
    expect(await onlyCommand(cabinet)).toMatchObject({ state: "NOT_CONFIRMED" });
    again.cut();
  });

  it.concurrent("cabinet that lost its journal: UNKNOWN", async () => {
    const { cabinet, raw } = await greeted();
    const cmdId = await open(cabinet);
    await until("the command", () => raw.heard("cmd").length > 0);
    const ack = { bootNo: 1, n: 2, mono: 2, cmdId, seq: 1, stage: "ACKED" as const };
    await raw.send(raw.seal("ack", ack));
    raw.cut();
    const again = await RawCabinet.connect(fleet, cabinet);
    await again.greet({ bootNo: 1, lastSeq: 0 });
    expect(await onlyCommand(cabinet)).toMatchObject({ state: "UNKNOWN" });
    again.cut();
    const later = await RawCabinet.connect(fleet, cabinet);
    await later.greet({ bootNo: 2, lastSeq: 0 });
    expect(await onlyCommand(cabinet)).toMatchObject({ state: "UNKNOWN" });
    later.cut();
  });
});
