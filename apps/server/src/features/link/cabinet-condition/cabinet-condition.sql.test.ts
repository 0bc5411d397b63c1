// SQL conditions for compartments: agree with the contract's rules on every combination of states.
import {
  isContradictory,
  unavailableReason,
} from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import {
  ADMIN_STATES,
  DOOR_STATES,
  ITEM_STATES,
  OCCUPANCIES,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { afterAll, expect, it } from "vitest";
import { cloneDatabase } from "../../../../../../tests/support/postgres.ts";
import { openDatabase } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { hasFaultSql, isAvailableSql, isFaultySql } from "./cabinet-condition.sql.ts";

const combinations = ADMIN_STATES.flatMap((adminState) =>
  OCCUPANCIES.flatMap((occupancy) =>
    ITEM_STATES.flatMap((item) =>
      DOOR_STATES.flatMap((doorFront) =>
        [...DOOR_STATES, null].map((doorBack) => ({
          adminState,
          occupancy,
          item,
          doorFront,
          doorBack,
        })),
      ),
    ),
  ),
);

const clone = await cloneDatabase();
const database = openDatabase(clone.url, { max: 1 });
afterAll(() => database.close());

it("faulty cabinets: found by an index of faulty compartments only", async () => {
  const plan = await database.read({ tenantId: 1 }, async (db) => {
    // The tables are empty here.
    await db.run(sql`set local enable_seqscan = off`);
    return db.many<Record<string, string>>(sql`
      explain select count(*) from cabinet where tenant_id = 1 and ${hasFaultSql(sql`cabinet`)}`);
  });
  const lines = plan.flatMap((line) => Object.values(line));
  expect(lines).toContainEqual(
    expect.stringContaining("Index Only Scan using compartment_faulty on compartment comp"),
  );
});

it("available and faulty counts: equal to the rules for every combination", async () => {
  const rows = combinations.map((of) => ({
    admin_state: of.adminState,
    occupancy: of.occupancy,
    item: of.item,
    door_front: of.doorFront,
    door_back: of.doorBack,
  }));
  const input = sql`input`;
  const counted = await database.read("platform", (db) =>
    db.many(sql`
        select ${isAvailableSql(input)} as is_available, ${isFaultySql(input)} as is_faulty
        from json_populate_recordset(null::compartment, ${JSON.stringify(rows)}) input`),
  );
  expect(counted).toEqual(
    combinations.map((of) => ({
      isAvailable: unavailableReason(of, { refusal: null, connectivity: "ONLINE" }) === null,
      isFaulty: of.adminState !== "ENABLED" || isContradictory(of),
    })),
  );
});
