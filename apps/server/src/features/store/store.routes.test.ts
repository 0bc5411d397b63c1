// What accounts may choose from: stores, cabinet models, the latest announcement.
import { announcementContract } from "@cabinet/contract/announcement/announcement.contract.ts";
import { cabinetModelContract } from "@cabinet/contract/cabinet-model/cabinet-model.contract.ts";
import { storeContract } from "@cabinet/contract/store/store.contract.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeCabinet, makeStore } from "../../../../../tests/support/cabinets.ts";
import { type House, openHouse, type Person } from "../../../../../tests/support/house.ts";
import { sql } from "../../platform/db.ts";

let house: House;

beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

it("offers each account the stores it may see", async () => {
  const platform = await house.makeTenant(1);
  const mine = await house.makeTenant();
  const other = await house.makeTenant();
  const lookedAfter = await makeStore(house, mine.id, [mine.people[2].operatorId]);
  const unattended = await makeStore(house, mine.id);
  const foreign = await makeStore(house, other.id);
  const options = async (as: Person, query: object = {}) =>
    (await house.call(storeContract.options, as, { query })).data.map(({ id }) => id).sort();
  expect(await options(mine.people[1])).toEqual([lookedAfter, unattended]);
  expect(await options(mine.people[2])).toEqual([lookedAfter]);
  expect(await options(mine.people[1], { tenantId: other.id })).toEqual([]);
  expect(await options(platform.people[0])).toEqual([lookedAfter, unattended, foreign]);
  expect(await options(platform.people[0], { tenantId: other.id })).toEqual([foreign]);
});

it("offers the cabinet models that there are", async () => {
  const { id, people } = await house.makeTenant();
  await makeCabinet(house, { tenantId: id });
  await makeCabinet(house, { tenantId: id, side: "DOUBLE" });
  const { data } = await house.call(cabinetModelContract.options, people[1]);
  expect(data.map(({ side }) => side).sort()).toEqual(["DOUBLE", "SINGLE"]);
});

it("gives the newest published announcement, or nothing", async () => {
  const { people } = await house.makeTenant();
  const latest = async () => (await house.call(announcementContract.latest, people[1])).data;
  expect(await latest()).toBeNull();
  await house.database.transaction("platform", (db) =>
    db.run(sql`
      insert into announcement (version, content, state, updated_at) values
        ('V1', '<p>一</p>', 'PUBLISHED', now() - interval '3 days'),
        ('V2', '<p>二</p>', 'PUBLISHED', now() - interval '2 days'),
        ('V3', '<p>三</p>', 'WITHDRAWN', now() - interval '1 day'),
        ('V4', '<p>四</p>', 'DRAFT', now())`),
  );
  expect(await latest()).toMatchObject({ version: "V2", content: "<p>二</p>" });
});
