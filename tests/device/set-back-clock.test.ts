// Commands that were stored while the database's clock was ahead, which has been set back since.
import { pino } from "pino";
import { beforeAll, expect, it } from "vitest";
import { presenceJobs } from "../../apps/server/src/features/link/device/index.ts";
import { MiniPrograms } from "../../apps/server/src/features/messaging/mini-program/index.ts";
import { smsJobs } from "../../apps/server/src/features/messaging/sms/index.ts";
import { templateJobs } from "../../apps/server/src/features/messaging/template/index.ts";
import { webhookJobs } from "../../apps/server/src/features/messaging/webhook/index.ts";
import { paymentJobs } from "../../apps/server/src/features/money/payment/index.ts";
import { exportJobs } from "../../apps/server/src/features/operations/export/index.ts";
import { orderJobs } from "../../apps/server/src/features/orders/order/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { mendWaitingTimes } from "../../apps/server/src/platform/jobs/set-back-clock.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";
import { OrderCabinet } from "./order-fleet.ts";

const fleet = useDeviceFleet();
beforeAll(() => fleet.startGateway());

const untilState = (at: OrderCabinet, id: string, expected: string) =>
  until(expected, async () => {
    const { state } = await at.within((db) =>
      db.one<{ state: string }>(sql`select state from command where id = ${id}`),
    );
    return state === expected;
  });

it("command of a clock that was ahead, not sent yet: expires, and no door opens an hour late", async () => {
  const at = await OrderCabinet.make(fleet);
  const { tenantId, id: cabinetId } = at.cabinet;
  const { id } = await at.within((db) =>
    db.one<{ id: string }>(sql`
      insert into command (tenant_id, cabinet_id, kind, compartment_no, side, reason, actor_name,
        epoch, created_at, expires_at)
      select ${tenantId}, ${cabinetId}, 'OPEN', 1, 'FRONT', '测试', '测试', epoch,
        -- An hour has almost passed since the clock was set back.
        now() - interval '2 seconds', now() + interval '18 seconds'
      from cabinet where id = ${cabinetId}
      returning id`),
  );
  await untilState(at, id, "EXPIRED");
  expect(at.heard("OPEN")).toEqual([]);
});

it("command of a clock that was ahead, sent without an answer: UNKNOWN at once, and the door is free for another", async () => {
  const at = await OrderCabinet.make(fleet);
  const { orderId } = await at.start();
  const { cmdId } = await at.take();
  await at.within((db) =>
    db.run(sql`
      update command set created_at = created_at + interval '1 hour', sent_at = sent_at + interval '1 hour',
        expires_at = expires_at + interval '1 hour'
      where order_id = ${orderId}`),
  );
  await untilState(at, cmdId, "UNKNOWN");
});

it("times of a clock that was ahead: mended once, with an error in the log; right ones stay", async () => {
  const times = [
    exportJobs,
    orderJobs,
    paymentJobs({ origin: "https://api.mch.weixin.qq.com" }),
    presenceJobs,
    smsJobs({ aliyunSmsUrl: "", tencentSmsUrl: "" }),
    templateJobs(new MiniPrograms()),
    webhookJobs,
  ].flatMap(({ waitingTimes = [] }) => waitingTimes);
  const at = await OrderCabinet.make(fleet);
  const { orderId } = await at.start();
  const { database } = fleet.testServer;
  const lines: { level: number; mended?: object }[] = [];
  const log = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
  const read = () =>
    at.within((db) =>
      db.one(sql`
        select cabinet.offline_at < now() + interval '10 minutes' as is_offline_soon,
          live_order.deposit_until < now() + interval '4 hours' as is_due_soon
        from cabinet join live_order on live_order.cabinet_id = cabinet.id
        where live_order.order_id = ${orderId}`),
    );
  // The commands of the tests above leave a time in the future.
  await mendWaitingTimes({ database, log }, times);
  lines.length = 0;
  await mendWaitingTimes({ database, log }, times);
  expect(lines).toEqual([]);
  await at.within(async (db) => {
    await db.run(sql`
      update cabinet set offline_at = offline_at + interval '32 days' where id = ${at.cabinet.id}`);
    await db.run(sql`
      update live_order set deposit_until = deposit_until + interval '32 days' where order_id = ${orderId}`);
  });
  expect(await read()).toEqual({ isOfflineSoon: false, isDueSoon: false });
  await mendWaitingTimes({ database, log }, times);
  expect(await read()).toEqual({ isOfflineSoon: true, isDueSoon: true });
  expect(lines).toMatchObject([
    { level: 50, mended: { "cabinet.offline_at": 1, "live_order.deposit_until": 1 } },
  ]);
  await mendWaitingTimes({ database, log }, times);
  expect(lines.length).toBe(1);
});
