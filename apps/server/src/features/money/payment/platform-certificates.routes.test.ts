// Signatures by WeChat Pay's platform certificates beside its public key: notices and answers.
import { paymentContract } from "@cabinet/contract/money/payment/payment.contract.ts";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { makeIdentity } from "../../../../../../tests/support/certificate.ts";
import { credited, useOnlineTopUps } from "../../../../../../tests/support/online-top-ups.ts";
import { paymentDraft } from "../../../../../../tests/support/payments.ts";
import { useTestServer } from "../../../../../../tests/support/test-server.ts";
import { WechatStandIn } from "../../../../../../tests/support/wechat-pay.ts";
import { sql } from "../../../platform/db/sql.ts";
import { PlatformCertificates } from "./index.ts";
import { prepay, settle } from "./top-up.service.ts";

/** The stand-in that the notice route asks; top-ups are at the same one. */
const wechat = await new WechatStandIn().open();
const testServer = useTestServer({ wechatPayUrl: wechat.origin });
const shop = useOnlineTopUps(testServer);
const { inTenant, postNotice, standOf, start } = shop;

const FETCH = "GET /v3/certificates";
const fetches = () => wechat.asked.filter((asked) => asked === FETCH).length;
const certificate = makeIdentity(0x71);
const parts = () => ({
  database: testServer.database,
  origin: wechat.origin,
  certificates: new PlatformCertificates(),
});

afterAll(() => wechat.close());
beforeEach(() => {
  Object.assign(wechat, { certificates: [certificate], signsBy: "CERTIFICATE", isForged: false });
  wechat.asked.length = 0;
});

/** A top-up ordered at the stand-in. */
async function order() {
  const topUp = await start({ isOrdered: false });
  await prepay(parts(), { tenantId: shop.tenantId, id: topUp.id });
  wechat.asked.length = 0;
  return topUp;
}

/** A notice of a payment, with the headers that `sign` gave it. */
async function statusOf(notice: Parameters<typeof postNotice>[0]): Promise<number> {
  return (await postNotice(notice)).statusCode;
}

const withoutPublicKey = () =>
  inTenant((db) =>
    db.run(sql`
      update payment_setting set public_key_id = '', public_key = ''
      where tenant_id = ${shop.tenantId}`),
  );

describe("payment notice during WeChat's change of keys", () => {
  it("by certificate and by public key are both accepted; certificates are fetched once", async () => {
    const paid = await order();
    expect(await statusOf(wechat.pay(paid.no))).toBe(204);
    expect(await standOf(paid.id)).toMatchObject(credited);
    expect(await statusOf(wechat.pay(paid.no))).toBe(204);
    wechat.signsBy = "PUBLIC_KEY";
    expect(await statusOf(wechat.pay(paid.no))).toBe(204);
    expect(fetches()).toBe(1);
    expect(wechat.unsigned).toEqual([]);
  });

  it("with invented serials is refused, at one request a minute to WeChat", async () => {
    const { no, id } = await order();
    const notice = wechat.pay(no);
    const forge = (serial: string) =>
      statusOf({ ...notice, headers: { ...notice.headers, "wechatpay-serial": serial } });
    const serials = Array.from({ length: 40 }, (_, nth) => `5157F09EFDC096DE${1000 + nth}`);
    const statuses = await Promise.all(serials.map(forge));
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(await forge("PUB_KEY_ID_0000000000")).toBe(401);
    expect(await forge("__proto__")).toBe(401);
    expect(fetches()).toBe(1);
    expect(await standOf(id)).toMatchObject({ state: "CREATED" });
    // The request that an invented serial caused serves the real one.
    expect(await statusOf(notice)).toBe(204);
    expect(fetches()).toBe(1);
  });

  it("costs WeChat nothing if it is old, unsigned or for nobody", async () => {
    const { no } = await order();
    const notice = wechat.pay(no);
    const old = { ...notice.headers, ...wechat.sign(notice.body, Date.now() - 301_000) };
    expect(await statusOf({ ...notice, headers: old })).toBe(401);
    const { "wechatpay-signature": _, ...unsigned } = notice.headers;
    expect(await statusOf({ ...notice, headers: unsigned })).toBe(401);
    expect((await postNotice(notice, 999_999)).statusCode).toBe(401);
    expect(fetches()).toBe(0);
  });

  it("holds no connection of the database while WeChat is asked", async () => {
    const { no } = await order();
    const notice = wechat.pay(no);
    const { promise, resolve } = Promise.withResolvers<void>();
    wechat.pause = promise;
    const statuses = Promise.all(Array.from({ length: 40 }, () => statusOf(notice)));
    await expect.poll(fetches).toBe(1);
    const read = () => inTenant((db) => db.one<{ one: number }>(sql`select 1 as one`));
    expect(await Promise.all(Array.from({ length: 20 }, read))).toHaveLength(20);
    resolve();
    expect(new Set(await statuses)).toEqual(new Set([204]));
    expect(fetches()).toBe(1);
  });

  it("signed by another key under a certificate's serial is refused", async () => {
    const { no } = await order();
    expect(await statusOf(wechat.pay(no))).toBe(204);
    wechat.isForged = true;
    expect(await statusOf(wechat.pay(no))).toBe(401);
  });

  it("by an expired certificate is refused", async () => {
    const { no, id } = await order();
    wechat.certificates = [makeIdentity(0x73, -1)];
    const notice = wechat.pay(no);
    // WeChat's own answer is signed by the key that is still valid.
    wechat.signsBy = "PUBLIC_KEY";
    expect(await statusOf(notice)).toBe(401);
    expect(fetches()).toBe(1);
    expect(await standOf(id)).toMatchObject({ state: "CREATED" });
  });

  it("certificates that are not sealed with the APIv3 key, or not signed, are not used", async () => {
    const { no } = await order();
    const notice = wechat.pay(no);
    wechat.isForged = true;
    expect(await statusOf(notice)).toBe(401);
    wechat.isForged = false;
    await inTenant((db) =>
      db.run(sql`
        update payment_setting set edit_version = edit_version + 1,
          sealed_api_v3_key = ${db.vault.seal("x".repeat(32), `payment APIv3 key ${shop.tenantId}`)}
        where tenant_id = ${shop.tenantId}`),
    );
    expect(await statusOf(notice)).toBe(401);
    expect(fetches()).toBe(2);
  });
});

describe("rotation of certificates", () => {
  it("accepts the next certificate beside the old one, after a change of the setting at once", async () => {
    const { no } = await order();
    const old = wechat.pay(no);
    expect(await statusOf(old)).toBe(204);
    wechat.certificates = [certificate, makeIdentity(0x72)];
    const next = wechat.pay(no);
    expect(await statusOf(next)).toBe(401);
    await inTenant((db) =>
      db.run(sql`
        update payment_setting set edit_version = edit_version + 1
        where tenant_id = ${shop.tenantId}`),
    );
    expect(await statusOf(next)).toBe(204);
    expect(await statusOf(old)).toBe(204);
    expect(fetches()).toBe(2);
  });
});

describe("answers of WeChat signed by a certificate", () => {
  it("are accepted with and without a configured public key", async () => {
    const paid = await order();
    wechat.pay(paid.no);
    await settle(parts(), { tenantId: shop.tenantId, id: paid.id });
    expect(await standOf(paid.id)).toMatchObject(credited);

    await withoutPublicKey();
    wechat.signsBy = "PUBLIC_KEY";
    const next = await order();
    wechat.signsBy = "CERTIFICATE";
    const notice = wechat.pay(next.no);
    expect(await statusOf(notice)).toBe(204);
    wechat.signsBy = "PUBLIC_KEY";
    expect(await statusOf(wechat.pay(next.no))).toBe(401);
    expect(await standOf(next.id)).toMatchObject({ state: "PAID" });
  });

  it("whose certificate WeChat does not give are not taken for its answer", async () => {
    const { no, id } = await order();
    wechat.pay(no);
    // `find` of the refund or the order must not read the refusal of the certificates as "unknown".
    const stranger = makeIdentity(0x74);
    const sign = wechat.sign.bind(wechat);
    wechat.sign = (body, at) => sign(body, at, stranger);
    wechat.certificates = [];
    await expect(settle(parts(), { tenantId: shop.tenantId, id })).rejects.toThrow("另一把密钥");
    wechat.sign = sign;
    expect(await standOf(id)).toMatchObject({ state: "CREATED" });
  });
});

describe("payment setting without a public key", () => {
  it("is saved with both fields empty, and refused with one of them", async () => {
    const save = (draft: object) =>
      testServer.call(paymentContract.saveSetting, shop.staff, {
        body: { ...paymentDraft, editVersion: 1, ...draft },
      });
    const { data } = await testServer.call(paymentContract.setting, shop.staff, { query: {} });
    const { editVersion } = data;
    const half = { publicKey: "", editVersion };
    expect(await save(half)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("一起填写"),
    });
    expect(await save({ ...half, publicKeyId: "" })).toMatchObject({ code: 0 });
  });
});
