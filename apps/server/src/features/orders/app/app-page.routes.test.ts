// The web page before sign-in, and malfunction reports of its users: switch, closed tenants, isolation, limits.
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { appPageContract } from "@cabinet/contract/orders/app/app-page.contract.ts";
import {
  REPORT_PHOTOS_PER_DAY,
  REPORTS_PER_DAY,
} from "@cabinet/contract/orders/app/app-page.rules.ts";
import { webPageContract } from "@cabinet/contract/orders/web-page/web-page.contract.ts";
import { tenantSettingContract } from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { PIXEL_PNG } from "../../../../../../tests/support/adverts.ts";
import { makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { tenantSettingDraft } from "../../../../../../tests/support/settings.ts";
import {
  type AppPerson,
  type Person,
  useTestServer,
} from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
const { page, logo, reportMalfunction, uploadPhoto } = appPageContract;

let tenantId: number;
let administrator: Person;
let cabinet: Awaited<ReturnType<typeof makeCabinet>>;
let person: AppPerson;

beforeEach(async () => {
  const tenant = await testServer.makeTenant();
  tenantId = tenant.id;
  administrator = tenant.people[0];
  const storeId = await makeStore(testServer, tenantId);
  cabinet = await makeCabinet(testServer, { tenantId, storeId, cells: [{}, {}], name: "东门柜" });
  person = await testServer.makeAppPerson(tenantId);
});

async function turn(isOn: boolean): Promise<void> {
  const { data } = await testServer.call(webPageContract.setting, administrator);
  const body = { isOn, editVersion: data.editVersion };
  expect(await testServer.call(webPageContract.saveSetting, administrator, { body })).toMatchObject(
    { code: 0 },
  );
}

const open = (query: object) => testServer.call(page, null, { query });

async function setLogo(): Promise<string> {
  const file = { name: "logo.png", bytes: PIXEL_PNG };
  const { data } = await testServer.call(tenantSettingContract.uploadLogo, administrator, {
    body: {},
    file,
  });
  const { mapCode: _, ...draft } = { ...tenantSettingDraft, mapKey: "", logoId: data.id };
  const body = { ...draft, servicePhone: "0571-88886666", editVersion: 0 };
  expect(
    await testServer.call(tenantSettingContract.saveSetting, administrator, { body }),
  ).toMatchObject({ code: 0 });
  return data.id;
}

describe("the page before sign-in", () => {
  it("by cabinet or by the tenant's code: names both, with the service phone", async () => {
    await turn(true);
    await setLogo();
    expect(await open({ sn: cabinet.sn })).toMatchObject({
      code: 0,
      data: {
        tenantId,
        tenantName: `租户 ${tenantId}`,
        servicePhone: "0571-88886666",
        isTopUpOpen: false,
        isSmsSignInPossible: false,
        notice: null,
        cabinet: { sn: cabinet.sn, name: "东门柜" },
      },
    });
    const { tenantCode } = (await open({ sn: cabinet.sn })).data;
    expect((await testServer.call(webPageContract.setting, administrator)).data.tenantCode).toBe(
      tenantCode,
    );
    expect((await open({ tenantCode })).data).toMatchObject({ tenantId, cabinet: null });
    const forged = tenantCode.replace(/^\d+/, String(tenantId + 1));
    expect(await open({ tenantCode: forged })).toMatchObject({ errCode: "WEB_PAGE_UNKNOWN" });
  });

  it("by a bare number: only a page that was on before there were codes, while it is on and open", async () => {
    await turn(true);
    expect(await open({ tenantId })).toMatchObject({ errCode: "WEB_PAGE_UNKNOWN" });
    await run(sql`update web_page_setting set has_bare_links = true where tenant_id = ${tenantId}`);
    expect((await open({ tenantId })).data).toMatchObject({ tenantId });
    await turn(false);
    expect(await open({ tenantId })).toMatchObject({ errCode: "WEB_PAGE_UNKNOWN" });
    await turn(true);
    await run(sql`update tenant set expires_at = now() - interval '1 day' where id = ${tenantId}`);
    expect(await open({ tenantId })).toMatchObject({ errCode: "WEB_PAGE_UNKNOWN" });
  });

  it("counting numbers without an account: all answers are the same, and nobody is named", async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, nth) => {
        const headers = { "x-forwarded-for": `198.51.100.${nth}` };
        const reply = await testServer.call(page, null, { query: { tenantId: nth + 1 }, headers });
        return JSON.stringify({ ...reply, requestId: "" });
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain("WEB_PAGE_UNKNOWN");
  });

  it("off, as every tenant begins: as if it did not exist, also its logo", async () => {
    const logoId = await setLogo();
    const { tenantCode } = (await testServer.call(webPageContract.setting, administrator)).data;
    const same = async (one: object, other: object) => {
      const [first, second] = [await open(one), await open(other)];
      expect({ ...first, requestId: "" }).toEqual({ ...second, requestId: "" });
      expect(first).toMatchObject({ code: 1, errCode: "WEB_PAGE_UNKNOWN" });
    };
    for (const isOnBefore of [false, true]) {
      if (isOnBefore) await turn(true);
      if (isOnBefore) await turn(false);
      await same({ sn: cabinet.sn }, { sn: "NOBODY0001" });
      await same({ tenantId }, { tenantId: 999_999 });
      await same({ tenantCode }, { tenantCode: `${tenantId}-AAAAAAAAAAA` });
      const file = { params: { fileId: logoId } };
      expect(await testServer.call(logo, null, file)).toMatchObject({ errCode: "NOT_FOUND" });
    }
  });

  it("unknown or deleted: refused in words for somebody in front of a cabinet", async () => {
    await turn(true);
    expect(await open({ sn: "NOBODY0001" })).toMatchObject({
      errCode: "WEB_PAGE_UNKNOWN",
      errMsg: expect.stringContaining("没有找到这台柜机"),
    });
    const { tenantCode } = (await open({ sn: cabinet.sn })).data;
    await run(sql`update tenant set state = 'DELETED' where id = ${tenantId}`);
    for (const query of [{ tenantCode }, { tenantId }, { sn: cabinet.sn }]) {
      expect(await open(query)).toMatchObject({ errCode: "WEB_PAGE_UNKNOWN" });
    }
  });

  it("expired tenant: stays open with a notice, since goods must come out", async () => {
    await turn(true);
    await run(sql`update tenant set expires_at = now() - interval '1 day' where id = ${tenantId}`);
    const { data } = await open({ sn: cabinet.sn });
    expect(data).toMatchObject({ tenantId, notice: expect.stringContaining("暂停服务") });
    expect((await open({ tenantCode: data.tenantCode })).data).toEqual({ ...data, cabinet: null });
  });

  it("neither or both of cabinet and tenant: refused", async () => {
    for (const query of [{}, { sn: cabinet.sn, tenantId }]) {
      expect(await open(query)).toMatchObject({ code: 1, errMsg: expect.stringContaining("一个") });
    }
  });

  it("logo: loads without a session while it is the tenant's", async () => {
    await turn(true);
    const logoId = await setLogo();
    const logoOfPage = async () => (await open({ sn: cabinet.sn })).data.logo;
    expect(await logoOfPage()).toBe(`/api/app/v1/page/logo/${logoId}`);
    const file = { params: { fileId: logoId } };
    const shown = (await testServer.call(logo, null, file)).data as unknown as Buffer;
    expect(shown.subarray(1, 4).toString()).toBe("PNG");
    await run(sql`update tenant_setting set logo_file_id = null where tenant_id = ${tenantId}`);
    expect(await testServer.call(logo, null, file)).toMatchObject({ errCode: "NOT_FOUND" });
    expect(await logoOfPage()).toBeNull();
  });
});

const run = (statement: ReturnType<typeof sql>) =>
  testServer.database.transaction("platform", (db) => db.run(statement));

const draft = { kind: "OPEN_FAILED", description: "门打不开", photoIds: [] as string[] } as const;

const report = (as: AppPerson | null, body: object = {}) =>
  testServer.call(reportMalfunction, as, { body: { ...draft, sn: cabinet.sn, ...body } });

const upload = (as: AppPerson | null, bytes: Uint8Array = PIXEL_PNG) =>
  testServer.call(uploadPhoto, as, { body: {}, file: { name: "lock.png", bytes } });

async function malfunctions() {
  const { list } = malfunctionContract;
  return (await testServer.call(list, administrator, { query: { cabinetId: cabinet.id } })).data
    .list;
}

describe("malfunction report of a signed-in person", () => {
  it("opens a malfunction at the compartment, with photo and masked phone", async () => {
    const photo = (await upload(person)).data;
    expect(photo).toMatchObject({ width: 1, height: 1 });
    expect(await report(person, { compartmentNo: 2, photoIds: [photo.id] })).toMatchObject({
      code: 0,
      data: { isRepeated: false },
    });
    const [found] = await malfunctions();
    expect(found).toMatchObject({
      ...{ kind: "OPEN_FAILED", compartmentNo: 2, state: "CREATED", source: "PERSON" },
      ...{ description: "门打不开", repeatCount: 1 },
      reporterName: expect.stringMatching(/^用户 1\d\d\*{4}\d{4}$/),
    });
    const detail = await testServer.call(malfunctionContract.get, administrator, {
      params: { id: found?.id ?? 0 },
    });
    expect(detail.data.timeline.at(-1)?.photos).toMatchObject([{ id: photo.id }]);
    const shown = await testServer.call(malfunctionContract.photo, administrator, {
      params: { fileId: photo.id },
    });
    expect((shown.data as unknown as Buffer).length).toBeGreaterThan(0);
  });

  it("the same again: raises the count and keeps its photo, one malfunction", async () => {
    const neighbour = await testServer.makeAppPerson(tenantId);
    await report(person);
    const photo = (await upload(neighbour)).data;
    expect((await report(neighbour, { photoIds: [photo.id] })).data).toEqual({ isRepeated: true });
    const found = await malfunctions();
    expect(found).toMatchObject([{ repeatCount: 2, compartmentNo: null }]);
    const detail = await testServer.call(malfunctionContract.get, administrator, {
      params: { id: found[0]?.id ?? 0 },
    });
    const repeated = detail.data.timeline.find(({ kind }) => kind === "REPEATED");
    expect(repeated?.photos).toMatchObject([{ id: photo.id }]);
  });

  it("another tenant's cabinet or an unknown compartment: as if it did not exist", async () => {
    const stranger = await testServer.makeAppPerson((await testServer.makeTenant()).id);
    const foreign = await report(stranger);
    const missing = await report(stranger, { sn: "NOBODY0001" });
    expect({ ...foreign, requestId: "" }).toEqual({ ...missing, requestId: "" });
    expect(await report(person, { compartmentNo: 9 })).toMatchObject({
      errCode: "WEB_PAGE_UNKNOWN",
      errMsg: expect.stringContaining("9 号格口"),
    });
    expect(await report(null)).toMatchObject({ status: 401 });
    expect(await malfunctions()).toEqual([]);
  });

  it("photos of others, also of an account with the same number: refused, nothing is reported", async () => {
    const neighbour = await testServer.makeAppPerson(tenantId);
    const theirs = (await upload(neighbour)).data.id;
    const ofAccount = await testServer.call(malfunctionContract.uploadPhoto, administrator, {
      body: {},
      file: { name: "lock.png", bytes: PIXEL_PNG },
    });
    await run(
      sql`update file set created_by = ${person.endUserId} where id = ${ofAccount.data.id}`,
    );
    for (const photoId of [theirs, ofAccount.data.id]) {
      expect(await report(person, { photoIds: [photoId] })).toMatchObject({ errCode: "NOT_FOUND" });
    }
    expect(await malfunctions()).toEqual([]);
  });

  it("locked person: may still report, the goods may be behind that door", async () => {
    await run(sql`
      update end_user set locked_at = now() where tenant_id = ${tenantId} and id = ${person.endUserId}`);
    expect(await report(person)).toMatchObject({ code: 0 });
  });

  it("beyond a day's share: reports and photos are refused, of this person only", async () => {
    const used = async (act: string, asked: number) =>
      run(sql`insert into ask_count (key, asked)
        values (${`${act}:${tenantId}:${person.endUserId}/86400`}, ${asked})`);
    await used("report", REPORTS_PER_DAY);
    await used("report-photo", REPORT_PHOTOS_PER_DAY);
    expect(await report(person)).toMatchObject({ status: 429, errCode: "REPORTS_USED_UP" });
    expect(await upload(person)).toMatchObject({ status: 429, errCode: "REPORT_PHOTOS_USED_UP" });
    expect(await malfunctions()).toEqual([]);
    const neighbour = await testServer.makeAppPerson(tenantId);
    expect(await report(neighbour)).toMatchObject({ code: 0 });
  });

  it("anything but a picture: refused by its bytes", async () => {
    expect(await upload(person, Buffer.from("<svg onload='x'/>"))).toMatchObject({
      errCode: "FILE_KIND",
    });
  });

  it("tenant without room for files: refused in words for the person, not for the tenant", async () => {
    await run(sql`update tenant set max_storage_mb = 1 where id = ${tenantId}`);
    const kept = (await upload(person)).data.id;
    await run(sql`update file set size_bytes = 1048576 where id = ${kept}`);
    const reply = await upload(person);
    expect(reply).toMatchObject({ errCode: "STORAGE_FULL" });
    expect(reply.errMsg).toContain("请不带照片重试");
  });

  it("a flood of photos from one address: refused before they are read", async () => {
    const headers = { "x-forwarded-for": "198.51.100.77" };
    const file = { name: "lock.png", bytes: Buffer.from("no picture") };
    const send = () => testServer.call(uploadPhoto, person, { body: {}, file, headers });
    for (let n = 0; n < 30; n++) expect(await send()).toMatchObject({ errCode: "FILE_KIND" });
    expect(await send()).toMatchObject({ status: 429, errCode: "RATE_LIMITED" });
  });

  it("kinds that only staff and cabinets know: refused", async () => {
    expect(await report(person, { kind: "TAMPER" })).toMatchObject({ errCode: "VALIDATION" });
  });
});
