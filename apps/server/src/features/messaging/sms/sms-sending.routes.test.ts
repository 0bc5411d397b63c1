// Sending through a carrier: signed, at most once, credit held before and settled after; promise
// M6.
import type { SmsCarrierName } from "@cabinet/contract/messaging/sms/sms-carrier.rules.ts";
import { smsChannelContract } from "@cabinet/contract/messaging/sms/sms-channel.contract.ts";
import { smsResultText } from "@cabinet/contract/messaging/sms/sms-state.rules.ts";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { anyPhone } from "../../../../../../tests/support/orders.ts";
import { withClient } from "../../../../../../tests/support/postgres.ts";
import { carrierAccount } from "../../../../../../tests/support/sms-carriers.ts";
import { pickup, useSmsCarrier } from "../../../../../../tests/support/sms-office.ts";
import { useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { smsJobs } from "./index.ts";

const testServer = useTestServer();
const office = useSmsCarrier(testServer);
const {
  account,
  buy,
  carriers,
  follow,
  hurry,
  otherProcess,
  read,
  run,
  send,
  setChannel,
  tools,
  useTencent,
  write,
} = office;
const { channel } = smsChannelContract;

describe.each([
  ["ALIYUN", "isv.BUSINESS_LIMIT_CONTROL", "isv.SMS_TEMPLATE_ILLEGAL"],
  ["TENCENT", "RequestLimitExceeded", "FailedOperation.TemplateIncorrectOrUnapproved"],
] as [SmsCarrierName, string, string][])("by %s", (carrier, passing, final) => {
  beforeEach(async () => {
    if (carrier === "TENCENT") await useTencent();
    await buy(100);
  });

  it("sends signature and template variables, and charges once taken", async () => {
    const phone = anyPhone();
    const id = await write({ phone });
    expect(await read(id)).toMatchObject({ state: "QUEUED", chargedSegments: 0 });
    await send();
    expect(carriers.taken).toMatchObject([
      { carrier, phone, sign: carrierAccount.sign, template: "SMS_276300001" },
    ]);
    expect(carriers.taken[0]?.variables).toEqual(
      carrier === "ALIYUN" ? Object.fromEntries(pickup.variables) : ["012345", "仓前小镇店 4 号柜"],
    );
    const carrierNo = carriers.taken[0]?.carrierNo;
    expect(await read(id)).toMatchObject({
      ...{ state: "SENT", carrier, carrierNo, chargedSegments: 1, attempts: 1 },
    });
    expect(await account()).toMatchObject({ left: 99, held: 0, usedSegments: 1 });
  });

  it("its receipt makes it delivered or failed", async () => {
    const [good, bad] = [await write(), await write()];
    await send();
    for (const { sendKey, phone } of carriers.taken) {
      const isDelivered = phone.endsWith((await read(good)).phone.slice(-4));
      carriers.settle(sendKey, { isDelivered, code: isDelivered ? "DELIVERED" : "MK:0012" });
    }
    await follow();
    expect(await read(good)).toMatchObject({ state: "DELIVERED" });
    const failed = await read(bad);
    expect(failed).toMatchObject({ state: "FAILED", resultCode: "MK:0012", chargedSegments: 1 });
    expect(smsResultText(failed)).toContain("MK:0012");
    expect(await account()).toMatchObject({ left: 98 });
  });

  it("without a receipt for three days it ends with that result", async () => {
    const id = await write();
    await send();
    for (let check = 0; check < 12; check++) await follow();
    const message = await read(id);
    expect(message).toMatchObject({ state: "SENT", resultCode: "NO_RECEIPT" });
    expect(carriers.taken).toHaveLength(1);
  });

  it("retried while provably not taken, and charged once", async () => {
    carriers.refusals.push(passing, passing);
    const id = await write();
    await send();
    expect(await read(id)).toMatchObject({ state: "QUEUED", resultCode: passing, attempts: 1 });
    expect(await account()).toMatchObject({ left: 100, held: 0 });
    for (let attempt = 0; attempt < 2; attempt++) {
      await hurry();
      await send();
    }
    expect(await read(id)).toMatchObject({ state: "SENT", attempts: 3, resultCode: "" });
    expect(await account()).toMatchObject({ left: 99, held: 0 });
  });

  it("a permanent refusal fails at once, costs nothing, and shows the remedy", async () => {
    carriers.refusals.push(final);
    const id = await write();
    await send();
    const message = await read(id);
    expect(message).toMatchObject({ state: "FAILED", resultCode: final, chargedSegments: 0 });
    expect(smsResultText(message)).toContain("短信模板不存在");
    expect(await account()).toMatchObject({ left: 100, held: 0, usedSegments: 0 });
  });

  it.each(["SILENCE", "RESET"] as const)(
    "never sent twice when the carrier took it and then: %s",
    async (afterTaking) => {
      carriers.afterTaking = afterTaking;
      const id = await write();
      await send();
      const doubtful = await read(id);
      expect(doubtful).toMatchObject({ state: "SENDING", resultCode: "UNKNOWN" });
      expect(await account()).toMatchObject({ left: 99, held: 1 });
      carriers.afterTaking = "ANSWER";
      await send();
      const [taken] = carriers.taken;
      carriers.settle(taken?.sendKey ?? "", { isDelivered: true, code: "DELIVERED" });
      await follow();
      expect(carriers.taken).toHaveLength(1);
      expect(await read(id)).toMatchObject({ state: "DELIVERED", chargedSegments: 1 });
      expect(await account()).toMatchObject({ left: 99, held: 0, usedSegments: 1 });
    },
    15_000,
  );

  it("failed and free of charge when the carrier does not know it for a day", async () => {
    carriers.isBroken = true;
    const id = await write();
    await send();
    expect(carriers.taken).toHaveLength(0);
    expect(await read(id)).toMatchObject({ state: "SENDING" });
    carriers.isBroken = false;
    for (let look = 0; look < 9; look++) await follow();
    expect(carriers.taken).toHaveLength(0);
    expect(await read(id)).toMatchObject({
      state: "FAILED",
      resultCode: "LOST",
      chargedSegments: 0,
    });
    expect(await account()).toMatchObject({ left: 100, held: 0 });
  });

  it("the check verifies credentials and signature", async () => {
    expect((await testServer.call(channel, office.platform)).data.checkState).toBe("PENDING");
    await run("sms.checkChannel");
    const { data } = await testServer.call(channel, office.platform);
    expect(data).toMatchObject({ checkState: "OK", hasSecret: true });
    expect(JSON.stringify(data)).not.toContain(carrierAccount.secret);
    carriers.signs = { ...carriers.signs, 待审核: false };
    await setChannel({
      ...(carrier === "TENCENT" && { carrier, appId: carrierAccount.appId }),
      sign: "待审核",
    });
    await run("sms.checkChannel");
    expect((await testServer.call(channel, office.platform)).data).toMatchObject({
      checkState: "FAILED",
      checkText: expect.stringContaining("待审核"),
    });
  });

  it("a wrong secret is detected and no credit is lost", async () => {
    await setChannel({
      ...(carrier === "TENCENT" && { carrier, appId: carrierAccount.appId }),
      secret: "wrongwrongwrongwrong",
    });
    await run("sms.checkChannel");
    expect((await testServer.call(channel, office.platform)).data).toMatchObject({
      checkState: "FAILED",
      checkText: expect.stringContaining("密钥不正确"),
    });
    const id = await write();
    await send();
    expect(await read(id)).toMatchObject({ state: "FAILED", chargedSegments: 0 });
    expect(await account()).toMatchObject({ left: 100, held: 0 });
    expect(carriers.unbelieved.splice(0).length).toBeGreaterThanOrEqual(2);
  });
});

describe("messages that are not sent", () => {
  it("without an enabled carrier they stay in the outbox and cost nothing", async () => {
    await buy(10);
    const waiting = await write();
    await setChannel({ isOn: false });
    const late = await write();
    await send();
    for (const id of [waiting, late]) expect(await read(id)).toMatchObject({ state: "OUTBOX" });
    expect(smsResultText(await read(waiting))).toContain("停用");
    expect(carriers.taken).toHaveLength(0);
    expect(await account()).toMatchObject({ left: 10, held: 0 });
  });

  it("while the carrier is unreachable they wait, and go out later", async () => {
    await buy(10);
    const nowhere = "http://127.0.0.1:9";
    const offline = smsJobs({ aliyunSmsUrl: nowhere, tencentSmsUrl: nowhere });
    const id = await write();
    await offline.tasks["sms.send"]?.({}, tools());
    expect(await read(id)).toMatchObject({ state: "QUEUED", resultCode: "UNREACHABLE" });
    expect(await account()).toMatchObject({ left: 10, held: 0 });
    await hurry();
    await send();
    expect(await read(id)).toMatchObject({ state: "SENT", attempts: 2 });
  });

  it("the last segments are reserved for codes", async () => {
    await buy(21);
    const [reminder, second] = [
      await write({ scene: "OVERDUE" }),
      await write({ scene: "OVERDUE" }),
    ];
    await send();
    const states = [await read(reminder), await read(second)].map(({ resultCode }) => resultCode);
    expect(states.sort()).toEqual(["", "CREDIT_RESERVED"]);
    const codes = await Promise.all(Array.from({ length: 21 }, () => write()));
    await send();
    const results = await Promise.all(codes.map(read));
    expect(results.filter(({ state }) => state === "SENT")).toHaveLength(20);
    expect(results.filter(({ resultCode }) => resultCode === "NO_CREDIT")).toHaveLength(1);
    expect(await account()).toMatchObject({ left: 0, held: 0 });
  });

  it("no template, too late, or a deleted person: not sent", async () => {
    await buy(50);
    const plain = await write({ carrier: null });
    const stale = await write({ scene: "SIGN_IN_CODE" });
    const gone = await write();
    await testServer.database.transaction("platform", async (db) => {
      await db.run(sql`
        update sms_message set sealed_carrier = null, phone = '', sealed_text = '' where id = ${gone}`);
    });
    // Only the table's owner may change created_at.
    await withClient(testServer.url, (client) =>
      client.query(
        "update sms_message set created_at = now() - interval '6 minutes' where id = $1",
        [stale],
      ),
    );
    await send();
    expect((await read(plain)).resultCode).toBe("NO_TEMPLATE");
    expect((await read(stale)).resultCode).toBe("TOO_LATE");
    expect((await read(gone)).resultCode).toBe("FORGOTTEN");
    expect(carriers.taken).toHaveLength(0);
    expect(await account()).toMatchObject({ left: 50, held: 0 });
  });

  it("rate limit per phone holds across tenants", async () => {
    await buy(50);
    const phone = anyPhone();
    const ids = await Promise.all(
      Array.from({ length: 4 }, () => write({ phone, scene: "SIGN_IN_CODE" })),
    );
    await send();
    const results = await Promise.all(ids.map(read));
    expect(results.filter(({ state }) => state === "SENT")).toHaveLength(2);
    expect(results.filter(({ resultCode }) => resultCode === "PHONE_LIMITED")).toHaveLength(2);
    expect(await account()).toMatchObject({ left: 48, held: 0 });
  });
});

/** Promise M6 with sending: credit spent equals what the carrier took, whatever it does. */
it("sms sending: spends exactly what the carrier took", async () => {
  const action = fc.constantFrom("OK", "REFUSE", "BUSY", "RESET", "BROKEN");
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 6 }),
      fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      async (bought, rounds) => {
        office.staff = (await testServer.makeTenant()).people[1];
        office.tenantId = office.staff.tenantId;
        carriers.taken.length = 0;
        if (bought > 0) await buy(bought);
        for (const round of rounds) {
          const mood = round[0];
          carriers.isBroken = mood === "BROKEN";
          carriers.afterTaking = mood === "RESET" ? "RESET" : "ANSWER";
          carriers.refusals.length = 0;
          if (mood === "REFUSE")
            carriers.refusals.push(...round.map(() => "isv.SMS_TEMPLATE_ILLEGAL"));
          if (mood === "BUSY") carriers.refusals.push(...round.map(() => "Throttling.User"));
          await Promise.all(round.map(() => write()));
          // Several processes at once.
          await Promise.all([send(), otherProcess()]);
          const seen = await account();
          expect(seen.left + seen.held + seen.usedSegments).toBe(bought);
          expect(seen.left).toBeGreaterThanOrEqual(0);
        }
        Object.assign(carriers, { isBroken: false, afterTaking: "ANSWER" });
        carriers.refusals.length = 0;
        for (let look = 0; look < 9; look++) {
          await follow();
          await send();
        }
        const keys = carriers.taken.map(({ sendKey }) => sendKey);
        expect(new Set(keys).size).toBe(keys.length);
        const seen = await account();
        expect(seen).toMatchObject({
          held: 0,
          usedSegments: keys.length,
          left: bought - keys.length,
        });
      },
    ),
    { numRuns: 12 },
  );
});

describe("who waits for whom", () => {
  const scenesInOrder = async (ids: readonly number[]) => {
    const found = await testServer.database.read("platform", (db) =>
      db.many<{ id: number; sendKey: string }>(sql`
        select id, send_key from sms_message where id = any(${[...ids]}::bigint[])`),
    );
    const idOf = new Map(found.map(({ id, sendKey }) => [sendKey, id]));
    return carriers.taken.map(({ sendKey }) => idOf.get(sendKey));
  };

  it("a code goes out before older notices of all tenants", async () => {
    await buy(100);
    const notices: number[] = [];
    for (let nth = 0; nth < 40; nth++) notices.push(await write({ scene: "OVERDUE" }));
    const code = await write({ scene: "SIGN_IN_CODE" });
    await send();
    const order = await scenesInOrder([...notices, code]);
    expect(order).toHaveLength(41);
    expect(order.indexOf(code)).toBeLessThan(12);
  });

  it("a tenant's notice does not wait for all notices of another", async () => {
    await buy(100);
    const flood: number[] = [];
    for (let nth = 0; nth < 70; nth++) flood.push(await write({ scene: "OVERDUE" }));
    office.staff = (await testServer.makeTenant()).people[1];
    office.tenantId = office.staff.tenantId;
    await buy(100);
    const quiet = await write({ scene: "OVERDUE" });
    await send();
    const order = await scenesInOrder([...flood, quiet]);
    expect(order).toHaveLength(71);
    expect(order.indexOf(quiet)).toBeLessThan(12);
  });
});
