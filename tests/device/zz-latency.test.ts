// temporary
import { commandContract } from "@cabinet/contract/command/command.contract.ts";
import { afterAll, beforeAll, it } from "vitest";
import type { Person } from "../support/house.ts";
import { openStreet, type Street, until } from "./street.ts";

let street: Street;
let person: Person;
beforeAll(async () => {
  street = await openStreet();
  person = (await street.house.makeTenant()).people[1];
  await street.startGateway();
});
afterAll(() => street.close());
it("latency", async () => {
  const cabinets = await Promise.all(
    Array.from({ length: 4 }, () => street.addCabinet({ tenantId: person.tenantId, doors: 60 })),
  );
  const machines = await Promise.all(cabinets.map((c) => street.switchOn(c, { autoCloseMs: 100 })));
  await Promise.all(machines.map((m) => until("s", () => m.hasSession())));
  const waiting = new Map<number, () => void>();
  street.house.listener.on("live", (e) => {
    const ev = e as { topic: string; cabinetId: number };
    if (ev.topic === "command") waiting.get(ev.cabinetId)?.();
  });
  const rows: { call: number; total: number }[] = [];
  for (let i = 0; i < 240; i++) {
    const cabinet = cabinets[i % 4]!;
    let events = 0;
    const started = performance.now();
    const acked = new Promise<void>((resolve) =>
      waiting.set(cabinet.id, () => {
        if (++events === 3) resolve();
      }),
    );
    const r = await street.house.call(commandContract.open, person, {
      params: { id: cabinet.id },
      body: { no: 1 + Math.floor(i / 4), reason: "测试" },
    });
    const call = performance.now() - started;
    if (r.code) {
      console.log(r.errMsg);
      continue;
    }
    await acked;
    rows.push({ call, total: performance.now() - started });
    await new Promise((r2) => setTimeout(r2, 30));
  }
  for (const k of ["call", "total"] as const) {
    const s = rows.map((r) => r[k]).sort((a, b) => a - b);
    console.log(
      k,
      s.length,
      "p50",
      s[s.length >> 1],
      "p95",
      s[Math.floor(s.length * 0.95)],
      "p99",
      s[Math.floor(s.length * 0.99)],
      "max",
      s.at(-1),
    );
  }
  const { withClient } = await import("../support/postgres.ts");
  await withClient(street.house.url, async (c) =>
    console.log(
      "stages",
      (
        await c.query(
          `select percentile_cont(array[0.5,0.95,0.99]) within group (order by extract(epoch from sent_at-created_at)*1000) as sent, percentile_cont(array[0.5,0.95,0.99]) within group (order by extract(epoch from acked_at-sent_at)*1000) as acked from command`,
        )
      ).rows[0],
    ),
  );
}, 60000);
