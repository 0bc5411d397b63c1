// Refusals of a caller that is refused often wait; nobody else waits (decision 0137).
import { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import { expect, test } from "vitest";
import { RefusalPace } from "../../apps/server/src/platform/limits/refusal-pace.rules.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const BURST = 3;
const pace = { burst: BURST, perSecond: 1 };
const testServer = useTestServer({
  refusalPace: new RefusalPace({ address: pace, account: pace }),
});

const query = { page: 1, pageSize: 10 };

test.each([
  ["a stranger", (people: Person[]) => ({ ...people[0], token: "x".repeat(43) }), 401],
  ["an account without the permission", (people: Person[]) => people[2], 403],
] as const)(
  "%s: answers after the burst wait, those of a neighbour do not",
  async (_, of, status) => {
    const { people } = await testServer.makeTenant();
    const caller = of(Object.values(people)) as Person;
    const neighbour = (await testServer.makeTenant()).people[0];
    const refuse = () => testServer.call(operatorContract.list, caller, { query });
    for (let n = 0; n < BURST; n++) expect((await refuse()).status).toBe(status);
    let isAnswered = false;
    const late = refuse().then((reply) => {
      isAnswered = true;
      return reply;
    });
    const reply = await testServer.call(operatorContract.list, neighbour, { query });
    expect(reply).toMatchObject({ status: 200, code: 0 });
    expect(isAnswered).toBe(false);
    expect((await late).status).toBe(status);
  },
);
