// Adverts over HTTP on a real PostgreSQL: accepted files, refusals and audit entries.
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { deflateSync } from "node:zlib";
import {
  type AdvertDraft,
  advertContract,
} from "@cabinet/contract/fleet/advert/advert.contract.ts";
import sharp from "sharp";
import { beforeEach, describe, expect, it } from "vitest";
import { advertDraft, PIXEL_PNG } from "../../../../../../tests/support/adverts.ts";
import { findAudit, makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { withClient } from "../../../../../../tests/support/postgres.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { box, makeMp4 } from "../../../platform/files/testing/mp4.ts";
import { fileJobs } from "../../organization/file/index.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let operator: Person;

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  operator = people[1];
});

const upload = (bytes: Uint8Array, name = "a.png", as = operator) =>
  testServer.call(advertContract.upload, as, { body: {}, file: { name, bytes } });

/** The keys of all objects in the storage. */
async function storedKeys(): Promise<string[]> {
  const folders = await readdir(path.join(testServer.dataDir, "files"));
  const names = await Promise.all(
    folders
      .filter((name) => name !== "unfinished")
      .map((name) => readdir(path.join(testServer.dataDir, "files", name))),
  );
  return names.flat();
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#4457b5" } });

describe("uploaded advert file", () => {
  it("is re-encoded without metadata", async () => {
    const secret = "31.2304N 121.4737E";
    const original = await picture(300, 200)
      .withExif({ IFD0: { ImageDescription: secret } })
      .jpeg()
      .toBuffer();
    expect(original.includes(secret)).toBe(true);
    const { data, errMsg } = await upload(original, "照片.jpg");
    expect(errMsg).toBe("");
    expect(data).toMatchObject({ kind: "IMAGE", name: "照片.jpg", width: 300, height: 200 });
    const sent = await testServer.app.inject({
      url: `/api/admin/v1/advert/file/${data.id}`,
      headers: { "auth-token": operator.token, tenantid: String(tenantId) },
    });
    expect(sent.headers).toMatchObject({
      "content-type": "image/jpeg",
      "x-content-type-options": "nosniff",
      "cache-control": "private, max-age=31536000, immutable",
      vary: "auth-token",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(sent.rawPayload.length).toBe(data.sizeBytes);
    expect(sent.rawPayload.includes(secret)).toBe(false);
    const { format } = await sharp(sent.rawPayload).metadata();
    expect(format).toBe("jpeg");
  });

  it("is scaled down to screen size", async () => {
    const { data } = await upload(await picture(5000, 1000).png().toBuffer());
    expect(data).toMatchObject({ width: 3840, height: 768 });
  });

  it("drops a page or program appended to the picture", async () => {
    const evil = Buffer.from("<script>alert(1)</script><?php system($_GET[0]); ?>");
    const { data } = await upload(Buffer.concat([await picture(20, 20).png().toBuffer(), evil]));
    const bytes = await testServer.call(advertContract.file, operator, {
      params: { fileId: data.id },
    });
    expect((bytes.data as unknown as Buffer).includes("script")).toBe(false);
  });

  it.each([
    ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), "不支持这种文件"],
    ["a page", Buffer.from("<!doctype html><script>alert(1)</script>"), "不支持这种文件"],
    ["a GIF", Buffer.from("GIF89a\x01\x00\x01\x00", "latin1"), "不支持这种文件"],
    ["a program", Buffer.from("\x7fELF\x02\x01\x01\x00\x00\x00", "latin1"), "不支持这种文件"],
    ["nothing", Buffer.alloc(0), "没有收到文件"],
    ["a page in a PNG's name", Buffer.from("\x89PNG\r\n\x1a\n<html>", "latin1"), "已损坏"],
    ["a PNG cut short", Buffer.from(PIXEL_PNG).subarray(0, 50), "已损坏"],
    ["a bomb", bomb(30_000, 30_000), "图片有 30000 × 30000 像素"],
    ["too many pixels", bomb(5_001, 5_000), "最多 2500 万像素：请缩小后再上传"],
    ["a film for other players", makeMp4({ video: "hvc1" }), "H.264"],
    ["a film cut short", makeMp4({}).subarray(0, 200), "不完整"],
    ["a page in a film's name", box("ftyp", Buffer.from("<html>")), "不完整"],
  ])(
    "is refused with a reason when it is %s, and leaves nothing in the storage",
    async (_, bytes, why) => {
      const before = await storedKeys();
      const { code, errMsg } = await upload(bytes);
      expect({ code, errMsg }).toEqual({ code: 1, errMsg: expect.stringContaining(why) });
      expect(await storedKeys()).toEqual(before);
    },
  );

  it("may have up to 5 MB as a picture and 50 MB as a video", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const create = { width: 1700, height: 1400, channels: 3, background: "#fff", noise } as const;
    const large = await sharp({ create }).png().toBuffer();
    expect(large.length).toBeGreaterThan(5 * 1024 * 1024);
    expect((await upload(large)).errMsg).toBe("图片不能超过 5 MB，请压缩后重试");
    const free = box("free", Buffer.alloc(50 * 1024 * 1024));
    const film = Buffer.concat([makeMp4({}), free]);
    expect((await upload(film, "a.mp4")).errMsg).toBe("视频不能超过 50 MB，请压缩后重试");
    const fitting = Buffer.concat([makeMp4({}), box("free", Buffer.alloc(20 * 1024 * 1024))]);
    const { data, errMsg } = await upload(fitting, "a.mp4");
    expect(errMsg).toBe("");
    expect(data).toMatchObject({ kind: "VIDEO", durationMs: 15_000, width: 1080 });
    const { sha256 } = await testServer.database.read("platform", (db) =>
      db.one<{ sha256: string }>(sql`select sha256 from file where id = ${data.id}`),
    );
    expect(sha256).toBe(createHash("sha256").update(fitting).digest("hex"));
  });

  it("is stored under a generated key, and its name is sanitized", async () => {
    const { data } = await upload(PIXEL_PNG, "../../etc/\u202epasswd.png");
    expect(data.name).toBe("passwd.png");
    expect((await storedKeys()).every((key) => /^[0-9a-f-]{36}$/.test(key))).toBe(true);
  });

  it("must be present, and comes with known fields only", async () => {
    const missing = await testServer.call(advertContract.upload, operator, { body: {} });
    expect(missing.errMsg).toBe("没有收到文件，请选择一个文件后重试");
    const before = await storedKeys();
    const file = { name: "a.png", bytes: PIXEL_PNG };
    const unknown = await testServer.call(advertContract.upload, operator, {
      body: { x: 1 },
      file,
    });
    expect(unknown.errMsg).toContain("不认识的字段");
    expect(await storedKeys()).toEqual(before);
    const json = await testServer.call(advertContract.upload, operator, {
      headers: { "content-type": "application/json" },
    });
    expect(json.status).toBe(415);
  });

  it("writes exactly one audit entry", async () => {
    await upload(PIXEL_PNG);
    const audit = await findAudit(testServer, tenantId);
    expect(audit.map(({ call }) => call)).toEqual(["POST /admin/v1/screen-content/file"]);
  });

  it("is swept a day after it became unused, and not before", async () => {
    const { data: unused } = await upload(PIXEL_PNG);
    const { data: used } = await upload(PIXEL_PNG);
    await create({ fileId: used.id });
    const sweep = () =>
      fileJobs(testServer.files).tasks["file.sweep"]?.(
        {},
        {
          database: testServer.database,
          log: testServer.app.log as never,
        },
      );
    const keyOf = (id: string) =>
      testServer.database.read("platform", (db) =>
        db.maybe<{ key: string }>(sql`select storage_key as key from file where id = ${id}`),
      );
    const [unusedKey, usedKey] = [(await keyOf(unused.id))?.key, (await keyOf(used.id))?.key];
    await sweep();
    expect(await storedKeys()).toEqual(expect.arrayContaining([unusedKey, usedKey]));
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`update file set unused_since = unused_since - interval '25 hours'`),
    );
    // Runs as the owner of the table: the server's roles may not change when an object was created.
    await withClient(testServer.url, (client) =>
      client.query("update stored_object set created_at = created_at - interval '25 hours'"),
    );
    await sweep();
    expect(await keyOf(unused.id)).toBeNull();
    expect(await keyOf(used.id)).not.toBeNull();
    const keys = await storedKeys();
    expect(keys).toContain(usedKey);
    expect(keys).not.toContain(unusedKey);
  });

  it("is kept while one of two adverts uses it, and does not block the sweep of others", async () => {
    const { data: shared } = await upload(PIXEL_PNG);
    const { data: unused } = await upload(PIXEL_PNG);
    const [first, second] = [
      await create({ fileId: shared.id }),
      await create({ fileId: shared.id }),
    ];
    const sweepNextDay = async () => {
      await testServer.database.transaction("platform", (db) =>
        db.run(sql`update file set unused_since = unused_since - interval '25 hours'`),
      );
      await fileJobs(testServer.files).tasks["file.sweep"]?.(
        {},
        { database: testServer.database, log: testServer.app.log as never },
      );
      const rows = await testServer.database.read("platform", (db) =>
        db.many<{ id: string }>(sql`
          select id from file where id = any(${[shared.id, unused.id]}::uuid[])`),
      );
      return rows.map(({ id }) => id);
    };
    expect((await act("delete", first.data.id)).errMsg).toBe("");
    expect(await sweepNextDay()).toEqual([shared.id]);
    expect((await act("delete", second.data.id)).errMsg).toBe("");
    expect(await sweepNextDay()).toEqual([]);
  });
});

/** A decompression bomb: a picture of a few hundred bytes that declares this many pixels. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), body])));
    return Buffer.concat([length, Buffer.from(type), body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(100_000))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function draftOf(more: Partial<AdvertDraft>): AdvertDraft {
  return { ...advertDraft, fileId: "00000000-0000-4000-8000-000000000000", ...more };
}

const create = (more: Partial<AdvertDraft & { tenantId: number }>, as = operator) =>
  testServer.call(advertContract.create, as, { body: draftOf(more) });

async function makeAdvert(more: Partial<AdvertDraft> = {}): Promise<number> {
  const { data: file } = await upload(PIXEL_PNG);
  const { data, errMsg } = await create({ fileId: file.id, ...more });
  expect(errMsg).toBe("");
  return data.id;
}

const act = (action: "putOn" | "takeOff" | "delete", id: number) =>
  testServer.call(advertContract[action], operator, { params: { id } });

const get = async (id: number) =>
  (await testServer.call(advertContract.get, operator, { params: { id } })).data;

const titles = async (query: object = {}) =>
  (await testServer.call(advertContract.list, operator, { query })).data.list.map(
    ({ title }) => title,
  );

describe("advert", () => {
  it("reaches every cabinet of a fleet larger than one batch", async () => {
    await makeCabinet(testServer, { tenantId });
    await testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`
        insert into cabinet (tenant_id, sn, name, model_id, lifecycle)
        select tenant_id, left(sn, 8) || lpad(n::text, 6, '0'), n::text, model_id, 'ACTIVE'
        from cabinet, generate_series(1, 2000) n where tenant_id = ${tenantId}`),
    );
    const id = await makeAdvert();
    expect((await act("putOn", id)).errMsg).toBe("");
    expect((await get(id)).downloads.total).toBe(2001);
    expect((await act("takeOff", id)).errMsg).toBe("");
    expect((await get(id)).downloads.total).toBe(0);
    const shown = await testServer.database.read({ tenantId }, (db) =>
      db.one<{ versions: number[]; left: number }>(sql`
        select array_agg(distinct version) as versions,
          (count(*) filter (where items <> '[]'))::int as left
        from cabinet_playlist where tenant_id = ${tenantId}`),
    );
    expect(shown).toEqual({ versions: [2], left: 0 });
  });

  it("goes from DRAFT to ON, OFF and deleted, with an audit entry for each step", async () => {
    const cabinet = await makeCabinet(testServer, { tenantId });
    const id = await makeAdvert();
    expect(await get(id)).toMatchObject({ state: "DRAFT", phase: "RUNNING" });
    expect((await act("takeOff", id)).errMsg).toMatch(/当前状态为“草稿”，不能下架/);
    expect((await act("putOn", id)).code).toBe(0);
    expect(await get(id)).toMatchObject({ state: "ON", downloads: { total: 1, ready: 0 } });
    expect((await act("putOn", id)).errMsg).toMatch(/不能上架/);
    expect((await act("delete", id)).errMsg).toMatch(/请先下架/);
    expect((await act("takeOff", id)).code).toBe(0);
    expect((await get(id)).downloads.total).toBe(0);
    const row = await testServer.database.read("platform", (db) =>
      db.one(sql`select items from cabinet_playlist where cabinet_id = ${cabinet.id}`),
    );
    expect(row).toEqual({ items: [] });
    expect((await act("delete", id)).code).toBe(0);
    expect((await act("delete", id)).errMsg).toBe("广告不存在，或不在您的管理范围内");
    const calls = (await findAudit(testServer, tenantId)).map(({ call }) => call);
    expect(calls).toEqual([
      "POST /admin/v1/screen-content/file",
      "POST /admin/v1/screen-content/save",
      "PUT /admin/v1/screen-content/on/{id}",
      "PUT /admin/v1/screen-content/off/{id}",
      "DELETE /admin/v1/screen-content/{id}",
    ]);
  });

  it.each([
    [{ fromDate: "2026-12-02", untilDate: "2026-12-01" }, "结束日期不能早于开始日期"],
    [{ fromDate: "2026-02-30" }, "“开始日期”的格式不对"],
    [{ fromTime: "08:00" }, "每日时段要么填写开始和结束两个时间"],
    [{ fromTime: "08:00", untilTime: "08:00" }, "每日开始时间和结束时间不能相同"],
    [{ targetKind: "STORE" as const }, "请选择要投放的对象"],
    [{ targetKind: "STORE" as const, targetIds: [999_999] }, "所选的投放对象不存在"],
    [{ targetKind: "SIDE" as const }, "请选择投放到单面柜还是双面柜"],
    [{ title: "   " }, "标题"],
    [{ durationSeconds: 2 }, "“播放时长”不能小于 3"],
    [{}, "图片或视频不存在"],
  ])("refuses %j with a text", async (more, sentence) => {
    expect((await create(more)).errMsg).toContain(sentence);
  });

  it("past its last day: cannot be put on, and leaves the playlists by itself", async () => {
    await makeCabinet(testServer, { tenantId });
    const id = await makeAdvert({ untilDate: "2020-01-01" });
    expect((await act("putOn", id)).errMsg).toMatch(/结束日期已过/);
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`update advert set state = 'ON' where id = ${id}`),
    );
    expect(await get(id)).toMatchObject({ phase: "ENDED", downloads: { total: 0 } });
  });

  it("targets a store, cabinet, model or side, and is listed for the cabinets it targets", async () => {
    const storeId = await makeStore(testServer, tenantId);
    const stored = await makeCabinet(testServer, { tenantId, storeId });
    const double = await makeCabinet(testServer, { tenantId, side: "DOUBLE" });
    await makeAdvert({ title: "门店", targetKind: "STORE", targetIds: [storeId] });
    await makeAdvert({ title: "设备", targetKind: "CABINET", targetIds: [double.id] });
    await makeAdvert({ title: "单面", targetKind: "SIDE", targetSide: "SINGLE" });
    await makeAdvert({ title: "全部" });
    expect(await titles()).toEqual(["门店", "设备", "单面", "全部"]);
    expect(await titles({ cabinetId: stored.id })).toEqual(["门店", "单面", "全部"]);
    expect(await titles({ cabinetId: double.id })).toEqual(["设备", "全部"]);
    expect(await titles({ keyword: "面" })).toEqual(["单面"]);
    expect(await titles({ keyword: "%" })).toEqual([]);
    expect(await titles({ state: "ON" })).toEqual([]);
    expect(await titles({ position: "HOME" })).toEqual([]);
    expect(await titles({ phase: "RUNNING" })).toHaveLength(4);
  });

  it("moves by swapping with its neighbour, and stays at the ends", async () => {
    await makeAdvert({ title: "一" });
    const second = await makeAdvert({ title: "二" });
    await makeAdvert({ title: "三" });
    const move = (step: string) =>
      testServer.call(advertContract.order, operator, { params: { id: second }, body: { step } });
    await move("up");
    expect(await titles()).toEqual(["二", "一", "三"]);
    await move("up");
    expect(await titles()).toEqual(["二", "一", "三"]);
    await move("down");
    await move("down");
    expect(await titles()).toEqual(["一", "三", "二"]);
  });

  it("cannot use another tenant's file, cabinet or store", async () => {
    const other = await testServer.makeTenant();
    const { data: foreign } = await upload(PIXEL_PNG, "a.png", other.people[1]);
    expect((await create({ fileId: foreign.id })).errMsg).toMatch(/^图片或视频不存在/);
    const see = await testServer.call(advertContract.file, operator, {
      params: { fileId: foreign.id },
    });
    expect(see.errMsg).toMatch(/^文件不存在/);
    const theirs = await makeCabinet(testServer, { tenantId: other.id });
    const { data: mine } = await upload(PIXEL_PNG);
    const aimed = { fileId: mine.id, targetKind: "CABINET" as const, targetIds: [theirs.id] };
    expect((await create(aimed)).errMsg).toMatch(/^所选的投放对象不存在/);
  });

  it("platform staff create it for any tenant, with a file of that tenant", async () => {
    const platform = (await testServer.makeTenant(1)).people[0];
    const body = { tenantId };
    const { data } = await testServer.call(advertContract.upload, platform, {
      body,
      file: { name: "a.png", bytes: PIXEL_PNG },
    });
    expect((await create({ fileId: data.id, tenantId }, platform)).errMsg).toBe("");
    expect(await titles()).toEqual(["双十二优惠"]);
    expect((await create({ fileId: data.id }, platform)).errMsg).toMatch(/^图片或视频不存在/);
  });
});
