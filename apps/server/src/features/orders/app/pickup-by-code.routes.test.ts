// Pickup by code alone: limits on guessing, and no charge beyond the amount agreed to.

import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { REPLAYED_HEADER } from "@cabinet/contract/kit/repeat.rules.ts";
import {
  WRONG_CODES_OF_TAIL,
  WRONG_CODES_PER_ADDRESS,
} from "@cabinet/contract/orders/app/app.rules.ts";
import { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { solvedCaptcha } from "../../../../../../tests/support/sign-in.ts";
import { makeWorld, type World } from "../../../../../../tests/support/tenant-world.ts";
import { type AppPerson, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { hashCode } from "../order/index.ts";

const testServer = useTestServer();
const CODE = "314159";
const NOBODY = "NOBODY0001";
let tenantId: number;
let world: World;
let sn: string;
/** Last four digits of the recipient's phone. */
let tail: string;

beforeAll(async () => {
  await testServer.makeTenant(1);
});

beforeEach(async () => {
  tenantId = (await testServer.makeTenant()).id;
  world = await makeWorld(testServer, tenantId, null);
  const { cabinetId, orderId } = world.ids;
  const codeHash = hashCode(testServer.vault, { tenantId, cabinetId }, CODE);
  await run(sql`update live_order set code_hash = ${codeHash} where order_id = ${orderId}`);
  const found = await testServer.database.read("platform", (db) =>
    db.one<{ sn: string; tail: string }>(sql`
      select cabinet.sn, right(end_user.phone, 4) as tail
      from storage_order join cabinet on cabinet.id = storage_order.cabinet_id
      join end_user on end_user.id = storage_order.recipient_id
      where storage_order.id = ${orderId}`),
  );
  ({ sn, tail } = found);
  await run(sql`delete from package_use where order_id = ${orderId}`);
  await run(sql`delete from sign_in_throttle`);
  await run(sql`delete from ask_count`);
});

const run = (statement: ReturnType<typeof sql>) =>
  testServer.database.transaction("platform", (db) => db.run(statement));

/** Makes the stay so far free of charge. */
const makeFree = () =>
  run(sql`update storage_order set pricing = jsonb_set(pricing, '{rule,freeMinutes}', '600')
    where id = ${world.ids.orderId}`);

function tryCode(
  code: string,
  at: {
    sn?: string;
    address?: string;
    as?: AppPerson;
    agreedFen?: number;
    phoneTail?: string;
    key?: string;
    captcha?: Record<string, string>;
  } = {},
) {
  const { address = "198.51.100.7", as = null, agreedFen = 0, phoneTail = tail } = at;
  return testServer.call(appOrderContract.pickupByCode, as, {
    body: { sn: at.sn ?? sn, code, phoneTail, agreedFen },
    headers: {
      "x-forwarded-for": address,
      ...at.captcha,
      ...(at.key !== undefined && { "idempotency-key": at.key }),
    },
  });
}

const commands = () =>
  testServer.database.read("platform", (db) =>
    db.many<{ state: string; actorName: string }>(sql`
      select state, actor_name from command
      where tenant_id = ${tenantId} and order_id = ${world.ids.orderId}
        and purpose = 'PICKUP'`),
  );

describe("pickup code", () => {
  it("opens the door where nothing is due; the result can be queried by the returned command id", async () => {
    await makeFree();
    const { code, data, errMsg } = await tryCode(CODE);
    expect(errMsg).toBe("");
    expect({ code, ...data }).toMatchObject({ code: 0, no: 3, side: "FRONT", chargedFen: 0 });
    expect(await commands()).toEqual([{ state: "QUEUED", actorName: "凭取件码" }]);
    const opening = await testServer.call(appOrderContract.opening, null, {
      params: { id: data.commandId },
    });
    expect(opening.data).toMatchObject({
      ...{ commandId: data.commandId, state: "QUEUED", no: 3 },
      ...{ door: "CLOSED", orderState: "STORED" },
    });
  });

  it("opens once under one idempotency key, also from another network", async () => {
    await makeFree();
    const key = "one-intention";
    const first = await tryCode(CODE, { key });
    expect(first.code).toBe(0);
    expect(await tryCode(CODE, { key, address: "203.0.113.5" })).toMatchObject({
      code: 0,
      data: first.data,
    });
    expect(await commands()).toHaveLength(1);
    const repeated = await testServer.app.inject({
      method: "POST",
      url: urlPath(appOrderContract.pickupByCode),
      headers: { "idempotency-key": key },
      payload: { sn, code: CODE, phoneTail: tail, agreedFen: 0 },
    });
    expect(repeated.headers).toMatchObject({ [REPLAYED_HEADER]: "true" });
  });

  it("answers a known key with a wrong code like any wrong code, and counts it", async () => {
    await makeFree();
    const key = "one-intention";
    await tryCode(CODE, { key });
    for (let n = 1; n < WRONG_CODES_PER_ADDRESS; n++) {
      expect(await tryCode("000000", { key })).toMatchObject({ status: 200, code: 1 });
    }
    expect(await tryCode("000000", { key })).toMatchObject({ status: 429 });
  });

  it("is refused where an amount is due; a signed-in user who agrees to it pays", async () => {
    const refused = await tryCode(CODE);
    expect(refused.errMsg).toMatch(/取件需支付 [12] 元/);
    expect(await commands()).toEqual([]);
    const friend = await testServer.makeAppPerson(tenantId);
    const unagreed = await tryCode(CODE, { as: friend, agreedFen: 50 });
    expect(unagreed.errMsg).toMatch(/取件需支付 [12] 元：请确认金额/);
    expect(await commands()).toEqual([]);
    const held = () =>
      testServer.database.read("platform", (db) =>
        db.one<{ fen: number }>(sql`
          select held_principal_fen as fen from wallet
          where tenant_id = ${tenantId} and end_user_id = ${friend.endUserId}`),
      );
    expect(await held()).toEqual({ fen: 0 });
    const opened = await tryCode(CODE, { as: friend, agreedFen: 200 });
    expect(opened.data.chargedFen).toBeGreaterThan(0);
    expect(await held()).toEqual({ fen: opened.data.chargedFen });
  });

  it("does not work with a session of another tenant", async () => {
    await makeFree();
    const stranger = await testServer.makeAppPerson((await testServer.makeTenant()).id);
    expect(await tryCode(CODE, { as: stranger })).toMatchObject({ code: 1, data: null });
    expect(await commands()).toEqual([]);
  });
});

describe("guessing pickup codes", () => {
  it("blocks an address at a cabinet, even with the right code; other addresses still work", async () => {
    await makeFree();
    for (let n = 1; n < WRONG_CODES_PER_ADDRESS; n++) {
      expect(await tryCode("000000")).toMatchObject({ status: 200, code: 1 });
    }
    expect(await tryCode("000000")).toMatchObject({ status: 429 });
    expect(await tryCode(CODE)).toMatchObject({ status: 429, data: null });
    expect(await tryCode(CODE, { address: "198.51.100.8" })).toMatchObject({ code: 0 });
  });

  it("blocks all addresses of an IPv6 client (its /64), and no others", async () => {
    await makeFree();
    for (let n = 1; n <= WRONG_CODES_PER_ADDRESS; n++) {
      await tryCode("000000", { address: `2408:8207:1850:2a60::${n}` });
    }
    const another = await tryCode(CODE, { address: "2408:8207:1850:2a60:1:2:3:4" });
    expect(another).toMatchObject({ status: 429, data: null });
    expect(await tryCode(CODE, { address: "2408:8207:1850:2a61::1" })).toMatchObject({ code: 0 });
  });

  it("N2: tries from many networks refuse nobody else's right code", async () => {
    await makeFree();
    const other = tail === "0000" ? "1111" : "0000";
    for (let n = 0; n < 60; n++) {
      await tryCode("000000", { address: `198.51.100.${10 + n}`, phoneTail: other });
    }
    expect(await tryCode(CODE, { address: "198.51.100.200" })).toMatchObject({ code: 0 });
  });

  describe("after wrong codes at the end of one phone, from many networks", () => {
    const afterTries = (tries: number) =>
      run(sql`insert into ask_count (key, asked)
        values (${`pickup:${sn}:${tail}/${WRONG_CODES_OF_TAIL.days * 86_400}`}, ${tries})`);
    const solved = async () => ({ "captcha-verification": await solvedCaptcha(testServer) });
    const wholePhone = async () => {
      const { phone } = await testServer.database.read("platform", (db) =>
        db.one<{ phone: string }>(sql`
          select end_user.phone from storage_order
          join end_user on end_user.id = storage_order.recipient_id
          where storage_order.id = ${world.ids.orderId}`),
      );
      return phone;
    };

    it("a captcha is due, and each counts once", async () => {
      await makeFree();
      await afterTries(WRONG_CODES_OF_TAIL.free);
      expect(await tryCode(CODE)).toMatchObject({ code: 1, errCode: "CAPTCHA_DUE" });
      const captcha = await solved();
      expect(await tryCode("000000", { captcha })).toMatchObject({ errCode: "PICKUP_CODE_WRONG" });
      expect(await tryCode(CODE, { captcha })).toMatchObject({ errCode: "CAPTCHA_INVALID" });
      expect(await tryCode(CODE, { captcha: await solved() })).toMatchObject({
        code: 0,
      });
    });

    it("the whole phone is due: with it the door opens", async () => {
      await makeFree();
      await afterTries(WRONG_CODES_OF_TAIL.withTail);
      const captcha = await solved();
      expect(await tryCode(CODE, { captcha })).toMatchObject({ errCode: "PICKUP_PHONE_DUE" });
      const phoneTail = await wholePhone();
      const wrong = `${phoneTail.slice(0, 3)}0000${tail}`;
      expect(await tryCode(CODE, { captcha, phoneTail: wrong })).toMatchObject({
        errCode: "PICKUP_CODE_WRONG",
      });
      const again = await solved();
      const typed = `+86 ${phoneTail.slice(0, 3)}-${phoneTail.slice(3)}`;
      expect(await tryCode(CODE, { captcha: again, phoneTail: typed })).toMatchObject({ code: 0 });
    });

    it("refused tries do not count, and a pickup forgives the typos of its person", async () => {
      await makeFree();
      await afterTries(WRONG_CODES_OF_TAIL.free);
      for (let n = 0; n < 10; n++) await tryCode("000000");
      await tryCode(CODE, { captcha: await solved() });
      const { asked } = await testServer.database.read("platform", (db) =>
        db.one<{ asked: number }>(
          sql`select asked from ask_count where key like ${`pickup:${sn}:%`}`,
        ),
      );
      expect(asked).toBe(WRONG_CODES_OF_TAIL.free - WRONG_CODES_OF_TAIL.forgivenByPickup);
    });

    it("a repeated pickup forgives nothing: it opens no door", async () => {
      await makeFree();
      await afterTries(WRONG_CODES_OF_TAIL.free - 1);
      const key = "one-intention";
      await tryCode(CODE, { key });
      await run(sql`update ask_count set asked = ${WRONG_CODES_OF_TAIL.free - 1}`);
      for (let n = 0; n < 3; n++) expect((await tryCode(CODE, { key })).errMsg).toBe("");
      await tryCode("000000");
      expect(await tryCode("000000")).toMatchObject({ errCode: "CAPTCHA_DUE" });
    });

    it("other recipients of the cabinet notice nothing", async () => {
      const phoneTail = tail === "0000" ? "1111" : "0000";
      await afterTries(WRONG_CODES_OF_TAIL.withTail);
      expect(await tryCode("000000", { phoneTail })).toMatchObject({
        errCode: "PICKUP_CODE_WRONG",
      });
    });
  });

  it("needs the end of the recipient's phone, and answers a wrong one like a wrong code", async () => {
    await makeFree();
    const wrong = tail === "0000" ? "1111" : "0000";
    const [phone, code] = [await tryCode(CODE, { phoneTail: wrong }), await tryCode("000000")];
    expect({ ...phone, requestId: "" }).toEqual({ ...code, requestId: "" });
    expect(await commands()).toEqual([]);
    expect((await tryCode(CODE)).code).toBe(0);
  });

  it("gains nothing from concurrent tries", async () => {
    await makeFree();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => tryCode(String(n).padStart(6, "0"))),
    );
    const looked = answers.filter(({ status }) => status === 200).length;
    expect(looked).toBe(WRONG_CODES_PER_ADDRESS - 1);
  });

  it("gets the same answers at a cabinet with goods, without goods, and at an unknown one", async () => {
    const { secondCabinetId } = world.ids;
    const { sn: empty } = await testServer.database.read("platform", (db) =>
      db.one<{ sn: string }>(sql`select sn from cabinet where id = ${secondCabinetId}`),
    );
    const series = async (at: string) => {
      const answers: unknown[] = [];
      for (let n = 0; n < WRONG_CODES_PER_ADDRESS; n++) {
        const { status, code, errMsg, data } = await tryCode("000000", { sn: at });
        answers.push({ status, code, errMsg: errMsg.replace(/\d+/, "N"), data });
      }
      return answers;
    };
    const [own, other, none] = [await series(sn), await series(empty), await series(NOBODY)];
    expect(other).toEqual(own);
    expect(none).toEqual(own);
  });
});
