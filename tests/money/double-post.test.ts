// Decision 0058: a write of console or app posted twice without an Idempotency-Key moves money
// once.
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, isOfConsole, isReading } from "@cabinet/contract/kit/endpoint.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { CallName, CallRow } from "../support/call-row.ts";
import { callRows } from "../support/call-rows.ts";
import { makeWorld } from "../support/tenant-world.ts";
import { useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();

// The firmware and menu entries that makeWorld inserts belong to the platform tenant.
beforeAll(() => testServer.makeTenant(1));

/** Counts and sums that change only when money or SMS credit moves. */
async function movements(): Promise<object> {
  return testServer.database.read("platform", (db) =>
    db.one(sql`
      select (select count(*)::int from ledger_journal) as journals,
        (select coalesce(sum(principal_fen + bonus_fen), 0)::bigint from wallet) as wallets,
        (select count(*)::int from user_package) as cards,
        (select count(*)::int from top_up_refund) as refunds,
        (select count(*)::int from sms_message) as messages,
        (select coalesce(sum(balance), 0)::bigint from sms_account) as segments`),
  );
}

const writes = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract as Record<string, EndpointSpec>)
    .filter(([, spec]) => (isOfConsole(spec) || spec.access === "end-user") && !isReading(spec))
    .map(([call, spec]) => {
      const name = `${noun}.${call}` as CallName;
      return { name, spec, row: callRows[name] as CallRow };
    }),
);
const moved = new Set<string>();

describe.each(writes)("$name", ({ name, spec, row }) => {
  it("posted twice: moves money at most once", async () => {
    const { id, people } = await testServer.makeTenant();
    const { ids } = await makeWorld(testServer, id, people[2]);
    const person = isOfConsole(spec)
      ? (await testServer.makeTenant(1)).people[0]
      : await testServer.makeAppPerson(id, ids.endUserId);
    const post = () => testServer.call(spec, person, { ...row.input(ids), hasNoKey: true });
    const before = await movements();
    const first = await post();
    if (!row.refusal) expect(first.errMsg).toBe("");
    const after = await movements();
    const second = await post();
    if (JSON.stringify(after) === JSON.stringify(before)) return;
    moved.add(name);
    expect(await movements()).toEqual(after);
    if (spec.once === "always") expect(second).toEqual(first);
  });
});

describe("calls that move money", () => {
  it("include the known ones", () => {
    expect([...moved]).toEqual(
      expect.arrayContaining(["wallet.change", "sms-credit.recharge", "app-wallet.buyPackage"]),
    );
  });
});
