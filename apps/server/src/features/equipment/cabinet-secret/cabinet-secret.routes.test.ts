// Cabinet secrets over HTTP: issued once, rotated with overlap, revoked, never shown again.
import { cabinetSecretContract } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";
import { deriveKeys } from "@cabinet/link";
import { describe, expect, it } from "vitest";
import {
  findAudit,
  type MadeCabinet,
  makeCabinet,
} from "../../../../../../tests/support/cabinets.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { cleanSecrets } from "../../link/device/index.ts";

const HOUR = 3_600_000;
const reason = "密钥疑似泄露";
const testServer = useTestServer();

async function makeOwner() {
  const { id: tenantId, people } = await testServer.makeTenant();
  const cabinet = await makeCabinet(testServer, { tenantId });
  return { tenantId, cabinet, owner: people[0], people };
}

const issue = (as: Person, { id }: MadeCabinet, overlapHours = 24) =>
  testServer.call(cabinetSecretContract.issue, as, { params: { id }, body: { overlapHours } });

const revoke = (as: Person, { id }: MadeCabinet, kid: string) =>
  testServer.call(cabinetSecretContract.revoke, as, { params: { id }, body: { kid, reason } });

async function listed(as: Person, query: object = {}) {
  const { data } = await testServer.call(cabinetSecretContract.list, as, { query });
  return data.list;
}

/** Sets the end of the secret this many hours back. */
async function endedAgo({ id }: MadeCabinet, kid: string, hours: number) {
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update cabinet_secret set expires_at = now() - make_interval(hours => ${hours})
      where cabinet_id = ${id} and kid = ${kid}`),
  );
}

describe("issuing a secret", () => {
  it("returns the first secret once, with everything the cabinet needs", async () => {
    const { tenantId, cabinet, owner } = await makeOwner();
    expect(await listed(owner)).toMatchObject([{ state: "NONE", secrets: [] }]);
    const { code, data } = await issue(owner, cabinet);
    expect(code).toBe(0);
    expect(data).toMatchObject({
      sn: cabinet.sn,
      previousKid: null,
      side: "SINGLE",
      compartments: [1, 2, 3].map((no) => ({ no, sides: ["FRONT"] })),
      broker: { url: null, port: 1883 },
    });
    expect(data.kid).toMatch(/^k\d{6}-[a-z2-9]{5}$/);
    expect(() => deriveKeys(data.secret)).not.toThrow();
    const [row] = await listed(owner);
    expect(row).toMatchObject({
      state: "ACTIVE",
      secrets: [{ kid: data.kid, state: "ACTIVE", issuedBy: owner.username, lastUsedAt: null }],
    });
    const everything = JSON.stringify([row, await findAudit(testServer, tenantId)]);
    expect(everything).not.toContain(data.secret);
    expect(everything).toContain(data.kid);
    const [stored] = await testServer.database.read("platform", (db) =>
      db.many<{ sealed: string }>(sql`
        select encode(sealed_secret, 'escape') as sealed from cabinet_secret
        where cabinet_id = ${cabinet.id}`),
    );
    expect(stored?.sealed).not.toContain(data.secret);
  });

  it("rotation keeps the old secret for the overlap; a third one is refused", async () => {
    const { cabinet, owner } = await makeOwner();
    const first = (await issue(owner, cabinet)).data;
    const second = (await issue(owner, cabinet, 48)).data;
    expect(second.previousKid).toBe(first.kid);
    expect(Date.parse(second.previousExpiresAt ?? "") - Date.now()).toBeGreaterThan(47.9 * HOUR);
    expect(Date.parse(second.previousExpiresAt ?? "") - Date.now()).toBeLessThan(48.1 * HOUR);
    expect(await listed(owner)).toMatchObject([
      {
        state: "OVERLAP",
        secrets: [
          { kid: second.kid, state: "ACTIVE" },
          { kid: first.kid, state: "ENDING", expiresAt: second.previousExpiresAt },
        ],
      },
    ]);
    const third = await issue(owner, cabinet);
    expect(third).toMatchObject({ code: 1, data: null });
    expect(third.errMsg).toContain(first.kid);
    expect(third.errMsg).toContain(second.kid);
    await endedAgo(cabinet, first.kid, 1);
    expect(await listed(owner)).toMatchObject([{ state: "ACTIVE" }]);
    expect((await issue(owner, cabinet)).code).toBe(0);
  });

  it("two concurrent requests stay within the limit", async () => {
    const { cabinet, owner } = await makeOwner();
    await issue(owner, cabinet);
    const replies = await Promise.all([issue(owner, cabinet), issue(owner, cabinet)]);
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 1]);
  });

  it("does not extend a secret that was ending already", async () => {
    const { cabinet, owner } = await makeOwner();
    const first = (await issue(owner, cabinet)).data;
    const second = (await issue(owner, cabinet, 1)).data;
    expect((await revoke(owner, cabinet, second.kid)).code).toBe(0);
    expect(await listed(owner)).toMatchObject([{ state: "ENDING" }]);
    const third = (await issue(owner, cabinet, 168)).data;
    expect(third.previousKid).toBe(first.kid);
    expect(Date.parse(third.previousExpiresAt ?? "") - Date.now()).toBeLessThan(1.1 * HOUR);
  });

  it("accepts an overlap of 1 to 168 hours, and no retired cabinet", async () => {
    const { tenantId, cabinet, owner } = await makeOwner();
    expect((await issue(owner, cabinet, 169)).errMsg).toContain("不能大于 168");
    expect((await issue(owner, cabinet, 0)).errMsg).toContain("不能小于 1");
    const retired = await makeCabinet(testServer, { tenantId, lifecycle: "RETIRED" });
    expect((await issue(owner, retired)).errMsg).toContain("已停用");
  });
});

describe("revoking a secret", () => {
  it("ends it at once, even the only one, with a reason and for good", async () => {
    const { tenantId, cabinet, owner } = await makeOwner();
    const { kid, secret } = (await issue(owner, cabinet)).data;
    expect((await revoke(owner, cabinet, "k000000-aaaaa")).errMsg).toContain("不存在");
    expect((await revoke(owner, cabinet, kid)).code).toBe(0);
    expect(await listed(owner)).toMatchObject([
      { state: "NONE", secrets: [{ kid, state: "REVOKED", revokedBy: owner.username }] },
    ]);
    const again = await revoke(owner, cabinet, kid);
    expect(again.errMsg).toBe(`密钥 ${kid} 当前状态为“已失效”，不能吊销`);
    const audit = await findAudit(testServer, tenantId);
    expect(audit.at(-1)).toMatchObject({ reason, target: `设备 ${cabinet.sn} · 密钥 ${kid}` });
    expect(JSON.stringify(audit)).not.toContain(secret);
    const [stored] = await testServer.database.read("platform", (db) =>
      db.many(sql`select sealed_secret from cabinet_secret where cabinet_id = ${cabinet.id}`),
    );
    expect(stored).toEqual({ sealedSecret: null });
  });
});

describe("allowed networks", () => {
  const save = (as: Person, { id }: MadeCabinet, networks: string[]) =>
    testServer.call(cabinetSecretContract.saveNetworks, as, { params: { id }, body: { networks } });

  it("are stored without duplicates and replaced as a whole", async () => {
    const { cabinet, owner } = await makeOwner();
    const networks = ["10.1.2.0/24", "203.0.113.9", "2001:db8::/32"];
    expect((await save(owner, cabinet, [...networks, "203.0.113.9/32"])).code).toBe(0);
    expect((await listed(owner))[0]?.networks).toEqual(networks);
    expect(await listed(owner, { hasNetworks: false })).toEqual([]);
    expect((await save(owner, cabinet, [])).code).toBe(0);
    expect((await listed(owner))[0]?.networks).toEqual([]);
  });

  it.each([
    "10.1.2.3/24",
    "10.1.2.0/33",
    "256.1.1.1",
    "10.1",
    "here",
    "::1/129",
    ":::",
    "1.2.3.4/x",
  ])("refuses %s and keeps the previous networks", async (wrong) => {
    const { cabinet, owner } = await makeOwner();
    await save(owner, cabinet, ["192.0.2.1"]);
    expect((await save(owner, cabinet, ["10.0.0.0/8", wrong])).code).toBe(1);
    expect((await listed(owner))[0]?.networks).toEqual(["192.0.2.1"]);
  });
});

describe("permissions of cabinet secrets", () => {
  it("operators of the tenant may issue; maintenance staff may not even list", async () => {
    const { cabinet, people } = await makeOwner();
    const other = await testServer.makeTenant();
    expect((await issue(people[1], cabinet)).code).toBe(0);
    expect((await issue(people[2], cabinet)).status).toBe(403);
    expect((await testServer.call(cabinetSecretContract.list, people[2], {})).status).toBe(403);
    expect((await issue(other.people[0], cabinet)).errMsg).toContain("不存在");
  });
});

describe("searching cabinet secrets", () => {
  it("filters by cabinet number, state and key id", async () => {
    const { tenantId, cabinet, owner } = await makeOwner();
    const bare = await makeCabinet(testServer, { tenantId });
    const { kid } = (await issue(owner, cabinet)).data;
    const found = async (query: object) =>
      (await listed(owner, query)).map(({ cabinetId }) => cabinetId);
    expect(await found({ keyword: bare.sn })).toEqual([bare.id]);
    expect(await found({ state: "NONE" })).toEqual([bare.id]);
    expect(await found({ state: "ACTIVE" })).toEqual([cabinet.id]);
    expect(await found({ kid: kid.slice(2, 9) })).toEqual([cabinet.id]);
    expect(await found({ kid: "%" })).toEqual([]);
  });
});

describe("cleanup of cabinet secrets", () => {
  it("wipes ended secrets and deletes them after 90 days; active ones stay", async () => {
    const { cabinet, owner } = await makeOwner();
    const first = (await issue(owner, cabinet)).data;
    const second = (await issue(owner, cabinet)).data;
    const clean = () => testServer.database.transaction("platform", cleanSecrets);
    const stored = () =>
      testServer.database.read("platform", (db) =>
        db.many<{ kid: string; isWiped: boolean }>(sql`
          select kid, sealed_secret is null as is_wiped from cabinet_secret
          where cabinet_id = ${cabinet.id} order by kid = ${first.kid} desc`),
      );
    await clean();
    expect((await stored()).map(({ isWiped }) => isWiped)).toEqual([false, false]);
    await endedAgo(cabinet, first.kid, 1);
    await clean();
    expect((await stored()).map(({ isWiped }) => isWiped)).toEqual([true, false]);
    expect((await listed(owner))[0]?.secrets[1]).toMatchObject({
      kid: first.kid,
      state: "EXPIRED",
    });
    await endedAgo(cabinet, first.kid, 91 * 24);
    await clean();
    expect((await stored()).map(({ kid }) => kid)).toEqual([second.kid]);
  });
});
