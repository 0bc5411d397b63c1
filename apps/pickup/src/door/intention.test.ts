// Decisions about an earlier doubt belong to one press: the next one asks again.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { DoorRequest } from "./intention.ts";

beforeAll(() => vi.stubGlobal("addEventListener", () => {}));
afterAll(() => vi.unstubAllGlobals());

const body = { sn: "CAB00001", code: "314159", phoneTail: "1234", agreedFen: 0 };
const requests: DoorRequest[] = [
  { call: "openAgain", input: { params: { id: 7 } } } as DoorRequest,
  { call: "pickup", input: { params: { id: 7 }, body: { agreedFen: 100 } } },
  { call: "takeBack", input: { params: { id: 7 }, body: { agreedFen: 0 } } } as DoorRequest,
  { call: "pickupByCode", input: { body } },
];

it.each(requests)(
  "requestOf: $call forgets that a person has looked at the door",
  async (request) => {
    const { afterDoubt, requestOf } = await import("./intention.ts");
    const decided = afterDoubt(request);
    expect(JSON.stringify(decided)).toContain('"afterDoubt":true');
    expect(JSON.stringify(requestOf(decided))).toBe(JSON.stringify(requestOf(request)));
    expect(JSON.stringify(requestOf(decided))).not.toContain("afterDoubt");
  },
);
