// The first screen of 首页 over HTTP: its parts are the answers of their own calls, if granted.
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import {
  homeInputs,
  homeParts,
  homeScreenContract,
} from "@cabinet/contract/operations/statistics/home-screen.contract.ts";
import { beforeEach, expect, it } from "vitest";
import { makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";

const testServer = useTestServer();
const day = shanghaiDay(Date.now());
const inputs: Record<string, object> = homeInputs(day);
let people: Record<0 | 1 | 2, Person>;

beforeEach(async () => {
  const tenant = await testServer.makeTenant();
  ({ people } = tenant);
  const storeId = await makeStore(testServer, tenant.id, [people[2].operatorId]);
  await makeCabinet(testServer, { tenantId: tenant.id, storeId, cells: [{}, {}] });
});

it.for([0, 1, 2] as const)(
  "home screen: userType %i gets the answers of the calls that it may make",
  async (userType) => {
    const as = people[userType];
    const reply = await testServer.call(homeScreenContract.read, as, { query: { day } });
    const screen = reply.data as Record<string, unknown>;
    const granted = await Promise.all(
      Object.entries<EndpointSpec>(homeParts).map(async ([name, spec]) => {
        const own = await testServer.call(spec, as, inputs[name]);
        expect(screen[name], name).toEqual(own.code === 0 ? own.data : undefined);
        return own.code === 0 ? name : null;
      }),
    );
    expect(Object.keys(screen).toSorted()).toEqual(granted.filter((name) => name).toSorted());
    if (userType === 2) expect(screen).not.toHaveProperty("payment");
    else expect(screen).toMatchObject({ cabinets: { total: 1 } });
  },
);
