// Callers without an account stand behind everybody (decision 0137): their floods refuse nobody who has one.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import { expect, it } from "vitest";
import { hashPassword } from "../../apps/server/src/features/identity/auth/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { signIn } from "../support/sign-in.ts";
import { type CallResult, useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();

const wrongCode = (at: number) =>
  testServer.call(appOrderContract.pickupByCode, null, {
    body: { sn: "NOBODY0001", code: "000000", phoneTail: "0000", agreedFen: 0 },
    headers: { "x-forwarded-for": `2001:db8:1:${(at % 256).toString(16)}::1` },
  });

const statusesOf = (answers: CallResult<unknown>[]) => [
  ...new Set(answers.map(({ status }) => status)),
];

it("wrong pickup codes from one home line, all at once: an account's list goes first, and no stranger gets a 5xx", async () => {
  const owner = (await testServer.makeTenant()).people[1];
  let answered = 0;
  const flood = Array.from({ length: 300 }, async (_, at) => {
    const answer = await wrongCode(at);
    answered++;
    return answer;
  });
  expect((await testServer.call(cabinetContract.list, owner, {})).status).toBe(200);
  // Most of the flood is still waiting.
  expect(answered).toBeLessThan(flood.length / 2);
  const answers = await Promise.all(flood);
  expect(statusesOf(answers).filter((status) => status >= 500)).toEqual([]);
  expect(answers.some(({ errCode }) => errCode === "PICKUP_CODE_WRONG")).toBe(true);
});

it("one account that has passwords hashed without end: others sign in meanwhile", async () => {
  const [flooder, other] = [await testServer.makeTenant(), await testServer.makeTenant()];
  const password = "mountain-harbour-4471";
  const hash = await hashPassword(password);
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update operator set password_hash = ${hash}`),
  );
  let isOver = false;
  const flood = Array.from({ length: 100 }, async () => {
    while (!isOver) {
      await testServer.call(operatorContract.resetPassword, flooder.people[1], {
        body: { id: 999_999, password: "kingfisher-quarry-27", reason: "忘记密码" },
      });
    }
  });
  const { username } = other.people[1];
  const replies = [];
  for (let at = 0; at < 3; at++) replies.push(await signIn(testServer, { username, password }));
  isOver = true;
  await Promise.all(flood);
  expect(replies.map(({ errMsg }) => errMsg)).toEqual(["", "", ""]);
});
