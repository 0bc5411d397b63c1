// Uploads of one tenant fill its own quota, not the disk of all (promise N3).
import { randomUUID } from "node:crypto";
import { advertContract } from "@cabinet/contract/fleet/advert/advert.contract.ts";
import { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import sharp from "sharp";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();
let platform: Person;
let owner: Person;
let bytes: Uint8Array;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
  const background = { r: 40, g: 90, b: 160 };
  bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer();
});
beforeEach(async () => {
  owner = (await testServer.makeTenant()).people[1];
});

const upload = () =>
  testServer.call(advertContract.upload, owner, { file: { name: "a.png", bytes } });

const tenant = async () =>
  (await testServer.call(tenancyContract.get, platform, { params: { id: owner.tenantId } })).data;

/** Stores files of this size, and sets the limit. */
const fill = (megabytes: number, limit: number | null) =>
  testServer.database.transaction("platform", async (db) => {
    const key = randomUUID();
    await db.run(sql`insert into stored_object (key) values (${key})`);
    await db.run(sql`
      insert into file (tenant_id, purpose, kind, media_type, name, size_bytes, sha256, storage_key)
      values (${owner.tenantId}, 'ADVERT', 'IMAGE', 'image/png', 'a.png', ${megabytes * 1_048_576},
        ${"0".repeat(64)}, ${key})`);
    await db.run(sql`
      update tenant set max_storage_mb = ${limit} where id = ${owner.tenantId}`);
  });

test("N3: a tenant whose quota is used up is told so; nothing of the upload remains", async () => {
  await fill(5, 5);
  const refused = await upload();
  expect(refused.errMsg).toMatch(/^本租户上传的文件已占 5 MB，上限 5 MB/);
  expect(await tenant()).toMatchObject({ storageMb: 5, maxStorageMb: 5 });
  const { n } = await testServer.database.read("platform", (db) =>
    db.one<{ n: number }>(sql`
      select count(*)::int as n from file where tenant_id = ${owner.tenantId}`),
  );
  expect(n).toBe(1);
});

test("N3: below the quota, and without one, files are stored and counted", async () => {
  await fill(4, 5);
  expect((await upload()).errMsg).toBe("");
  expect(await tenant()).toMatchObject({ storageMb: 5 });
  await fill(9, null);
  expect((await upload()).errMsg).toBe("");
});

test("N3: uploads at the same time do not exceed the quota together", async () => {
  await fill(5, 5);
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      update file set size_bytes = size_bytes - ${bytes.length} where tenant_id = ${owner.tenantId}`),
  );
  const answers = await Promise.all(Array.from({ length: 6 }, upload));
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
});
