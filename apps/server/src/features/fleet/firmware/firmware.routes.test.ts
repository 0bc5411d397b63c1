// Tests firmware on a real PostgreSQL: signatures, visibility, and the effect of a withdrawal.
import { firmwareContract } from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import { rolloutContract } from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { makeCabinet } from "../../../../../../tests/support/cabinets.ts";
import {
  insertFirmwareFile,
  MAKER_KEY,
  signImage,
} from "../../../../../../tests/support/rollouts.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let platform: Person;
let operator: Person;
beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  operator = (await testServer.makeTenant()).people[1];
});

const image = Buffer.from("program 7");
const { signature } = signImage(image);

async function draft() {
  const cabinet = await makeCabinet(testServer, { tenantId: operator.tenantId, cells: [] });
  const { modelId } = await testServer.database.read("platform", (db) =>
    db.one<{ modelId: number }>(sql`select model_id from cabinet where id = ${cabinet.id}`),
  );
  const fileId = await testServer.database.transaction("platform", (db) =>
    insertFirmwareFile(db, image),
  );
  const body = {
    fileId,
    version: `7.0.${operator.tenantId}`,
    minVersion: "1.0.0",
    notes: "",
    modelIds: [modelId],
    signature,
  };
  return {
    modelId,
    body,
    make: () => testServer.call(firmwareContract.create, platform, { body }),
  };
}

const saveKey = (modelId: number, publicKey: string) =>
  testServer.call(firmwareContract.saveMakerKey, platform, {
    params: { modelId },
    body: { publicKey, reason: "登记" },
  });

it("firmware: accepted only with its maker's signature", async () => {
  const { make, modelId, body } = await draft();
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update cabinet_model set maker_public_key = null where id = ${modelId}`),
  );
  expect((await make()).errMsg).toContain("未登记厂家公钥");
  expect((await saveKey(modelId, "-----BEGIN PRIVATE KEY-----\nMC4C")).errMsg).toContain(
    "公钥无法识别",
  );
  expect((await saveKey(modelId, MAKER_KEY)).errMsg).toBe("");
  const forged = { ...body, signature: signImage(Buffer.from("another")).signature };
  expect(
    (await testServer.call(firmwareContract.create, platform, { body: forged })).errMsg,
  ).toContain("签名与型号");
  expect((await make()).errMsg).toBe("");
  expect((await make()).errMsg).toContain("已经登记为固件");
  const again = await draft();
  expect((await again.make()).errMsg).toContain("已有版本");
});

it("firmware: visible to tenants once released, and withdrawn from every roll-out", async () => {
  const { make, modelId } = await draft();
  await saveKey(modelId, MAKER_KEY);
  const { data } = await make();
  const params = { id: data.id };
  const listed = async () =>
    (
      await testServer.call(firmwareContract.released, operator, { query: { pageSize: 100 } })
    ).data.list.map(({ id }) => id);
  expect(await listed()).not.toContain(data.id);
  expect((await testServer.call(firmwareContract.release, platform, { params })).code).toBe(0);
  expect(await listed()).toContain(data.id);
  const { data: rollout } = await testServer.call(rolloutContract.create, operator, {
    body: { name: "夜间升级", kind: "FIRMWARE", firmwareId: data.id },
  });
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update rollout set state = 'RUNNING' where id = ${rollout.id}`),
  );
  const body = { reason: "发现缺陷" };
  const withdrawn = await testServer.call(firmwareContract.withdraw, platform, { params, body });
  expect(withdrawn.data).toEqual({ stopped: 1 });
  const input = { params: { id: rollout.id } };
  expect((await testServer.call(rolloutContract.get, operator, input)).data).toMatchObject({
    state: "STOPPED",
    stateReason: expect.stringContaining("已被平台撤回：发现缺陷"),
  });
  const resumed = await testServer.call(rolloutContract.resume, operator, {
    ...input,
    body: { reason: "已核实" },
  });
  expect(resumed.errMsg).toContain("该固件已被撤回");
  expect(await listed()).not.toContain(data.id);
});
