// Tests who is served next when more calls arrive than there are connections.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Admission,
  type Leave,
  MAY_WAIT,
  type Share,
  STRANGERS_MAY_WAIT,
  shareOfStranger,
} from "./admission.rules.ts";

const PLACES = 12;

const shareOf = (share: Partial<Share>): Share => ({
  load: "interactive",
  tenant: 1,
  account: 1,
  isBounded: true,
  ...share,
});

/** Lets calls in under a name and notes in which order they start. */
function openDoor(places = PLACES, now = () => 0) {
  const admission = new Admission(places, now);
  const started: string[] = [];
  const leaves = new Map<string, Leave>();
  return {
    admission,
    started,
    enter(name: string, share: Partial<Share> = {}) {
      const entered = admission.enter(shareOf(share), () => started.push(name));
      if (typeof entered === "string") return entered;
      leaves.set(name, entered);
      return null;
    },
    leave: (name: string) => leaves.get(name)?.(),
  };
}

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

describe("places", () => {
  test("a third is for heavy calls, three quarters for those and lists, the rest for doors", () => {
    const door = openDoor();
    const tenantsOf = (load: Share["load"], count: number) => {
      for (const [at, name] of names(load, count).entries()) door.enter(name, { load, tenant: at });
      return door.started.filter((name) => name.startsWith(load)).length;
    };
    expect(tenantsOf("heavy", 20)).toBe(4);
    expect(tenantsOf("interactive", 20)).toBe(5);
    expect(tenantsOf("critical", 20)).toBe(3);
  });

  test("doors may use all places", () => {
    const door = openDoor();
    for (let tenant = 0; tenant < 20; tenant++)
      door.enter(`${tenant}`, { load: "critical", tenant });
    expect(door.started).toHaveLength(PLACES);
  });

  test("one tenant gets half of the places, so that another's call begins at once", () => {
    const door = openDoor();
    for (const name of names("flood", 60)) door.enter(name, { load: "critical", account: name });
    expect(door.started).toHaveLength(PLACES / 2);
    door.enter("neighbour", { tenant: 2, load: "heavy" });
    expect(door.started.at(-1)).toBe("neighbour");
  });

  test("a tenant's own statistics and lists leave places for its doors", () => {
    const door = openDoor();
    for (const name of names("heavy", 9)) door.enter(name, { load: "heavy" });
    for (const name of names("list", 9)) door.enter(name);
    for (const name of names("door", 9)) door.enter(name, { load: "critical" });
    const count = (prefix: string) => door.started.filter((name) => name.startsWith(prefix)).length;
    expect([count("heavy"), count("list"), count("door")]).toEqual([2, 2, 2]);
  });

  test("while another tenant calls, one gets a quarter; ten seconds later half again", () => {
    let now = 0;
    const door = openDoor(PLACES, () => now);
    door.enter("neighbour", { tenant: 2 });
    door.leave("neighbour");
    for (const name of names("flood", 9)) door.enter(name, { load: "critical" });
    expect(door.started).toHaveLength(1 + PLACES / 4);
    now = 10_000;
    door.leave("flood0");
    expect(door.started).toHaveLength(1 + 1 + PLACES / 2);
  });

  test("the place that becomes free goes to the most critical call", () => {
    const door = openDoor(1);
    door.enter("first");
    door.enter("statistics", { load: "heavy", tenant: 2 });
    door.enter("list", { tenant: 3 });
    door.enter("door", { load: "critical", tenant: 4 });
    for (const name of ["first", "door", "list"]) door.leave(name);
    expect(door.started).toEqual(["first", "door", "list", "statistics"]);
  });
});

describe("turns", () => {
  test("tenants take turns, and within a tenant its accounts", () => {
    const door = openDoor(1);
    door.enter("running", { tenant: 0 });
    for (const name of names("greedy", 4)) door.enter(name, { tenant: 1, account: "greedy" });
    for (const name of names("colleague", 2)) door.enter(name, { tenant: 1, account: "colleague" });
    for (const name of names("neighbour", 2)) door.enter(name, { tenant: 2 });
    door.leave("running");
    for (let at = 1; at < 8; at++) door.leave(door.started[at] ?? "");
    expect(door.started.slice(1)).toEqual([
      ...["greedy0", "neighbour0", "colleague0", "neighbour1"],
      ...["greedy1", "colleague1", "greedy2", "greedy3"],
    ]);
  });

  test("a call that leaves the queue is not started", () => {
    const door = openDoor(1);
    for (const name of ["running", "impatient", "patient"]) door.enter(name);
    door.leave("impatient");
    door.leave("running");
    expect(door.started).toEqual(["running", "patient"]);
  });

  test("leaving twice frees one place", () => {
    const door = openDoor(1);
    for (const name of ["first", "second", "third"]) door.enter(name);
    door.leave("first");
    door.leave("first");
    expect(door.started).toEqual(["first", "second"]);
  });
});

describe("bounds", () => {
  test("an account's queue is bounded; its neighbours still get in", () => {
    const door = openDoor(1);
    door.enter("running", { tenant: 0 });
    for (const name of names("flood", MAY_WAIT.account)) expect(door.enter(name)).toBeNull();
    expect(door.enter("one too many")).toBe("share-used-up");
    expect(door.enter("colleague", { account: 2 })).toBeNull();
    expect(door.enter("neighbour", { tenant: 2 })).toBeNull();
  });

  test("a tenant's queue is bounded over all its accounts", () => {
    const door = openDoor(1);
    door.enter("running", { tenant: 0 });
    for (const account of names("", MAY_WAIT.tenant)) door.enter(account, { account });
    expect(door.enter("one too many", { account: "new" })).toBe("share-used-up");
  });

  test("altogether: the server is full", () => {
    const door = openDoor(1);
    door.enter("running", { tenant: "first" });
    for (const tenant of names("", MAY_WAIT.all)) door.enter(tenant, { tenant });
    expect(door.enter("one too many", { tenant: "new" })).toBe("full");
  });

  test("the server's own work always waits", () => {
    const door = openDoor(1);
    door.enter("running");
    for (const name of names("report", MAY_WAIT.account + 1)) {
      expect(door.enter(name, { isBounded: false })).toBeNull();
    }
  });
});

describe("any run", () => {
  const arrival = fc.record({
    tenant: fc.integer({ min: 1, max: 4 }),
    account: fc.integer({ min: 1, max: 3 }),
    load: fc.constantFrom<Share["load"]>("critical", "interactive", "heavy"),
    /** Calls that end before this one arrives. */
    ends: fc.integer({ min: 0, max: 3 }),
  });

  test("every call is served in the end, never more at once than there are places, accounts in order", () => {
    fc.assert(
      fc.property(
        fc.array(arrival, { maxLength: 120 }),
        fc.integer({ min: 1, max: 12 }),
        (arrivals, places) => {
          const admission = new Admission(places, () => 0);
          const running: Leave[] = [];
          const started: { at: number; share: Share }[] = [];
          let most = 0;
          const end = () => running.shift()?.();
          for (const [at, { ends, ...given }] of arrivals.entries()) {
            for (let count = 0; count < ends; count++) end();
            const share = shareOf(given);
            const leave = admission.enter(share, () => {
              started.push({ at, share });
              running.push(() => {
                if (typeof leave !== "string") leave();
              });
              most = Math.max(most, running.length);
            });
          }
          while (running.length > 0) end();
          expect(most).toBeLessThanOrEqual(places);
          expect(started).toHaveLength(arrivals.length);
          expect(admission.waiting).toBe(0);
          const lines = Map.groupBy(started, ({ share: { load, tenant, account } }) =>
            [load, tenant, account].join(" "),
          );
          for (const line of lines.values()) {
            expect(line.map(({ at }) => at)).toEqual(
              line.map(({ at }) => at).sort((a, b) => a - b),
            );
          }
        },
      ),
    );
  });
});

describe("strangers", () => {
  const from = (network: number, host = 1) => shareOfStranger(`2001:db8:${network}::${host}`);
  const flood = (door: ReturnType<typeof openDoor>, count: number) => {
    for (const [at, name] of names("stranger", count).entries()) door.enter(name, from(at));
  };

  test("together have a third of the places", () => {
    const door = openDoor();
    flood(door, 60);
    expect(door.started).toHaveLength(PLACES / 3);
  });

  test("leave two places to doors where lists use all of theirs", () => {
    const door = openDoor();
    for (const [tenant, name] of names("list", 20).entries()) door.enter(name, { tenant });
    flood(door, 60);
    const before = door.started.length;
    for (const [tenant, name] of names("door", 2).entries()) {
      door.enter(name, { load: "critical", tenant });
    }
    expect(door.started.slice(before)).toEqual(["door0", "door1"]);
  });

  test("wait behind everybody else, and one of them is always served", () => {
    const door = openDoor();
    flood(door, 1);
    for (const [tenant, name] of names("door", 20).entries()) {
      door.enter(name, { load: "critical", tenant });
    }
    door.enter("second", from(2));
    for (let at = 0; at < 9; at++) door.leave(`door${at}`);
    expect(door.started).not.toContain("second");
    door.leave("stranger0");
    expect(door.started).toContain("second");
  });

  test.each([1, 2, PLACES])("take turns with a flood of accounts for %i places", (places) => {
    const door = openDoor(places);
    for (const name of names("flood", 60)) {
      door.enter(name, { load: "critical", account: name, tenant: Number(name.slice(5)) });
    }
    for (const host of [1, 2, 3]) door.enter(`stranger${host}`, from(host));
    for (let at = 0; at < 40; at++) door.leave(door.started[at] ?? "");
    const strangers = door.started.filter((name) => name.startsWith("stranger"));
    expect(strangers).toHaveLength(3);
    // Never two of them before somebody else's turn.
    expect(door.started.join(" ")).not.toMatch(/stranger\d stranger/);
  });

  test("one address, one /48 and all together wait in bounded queues", () => {
    const door = openDoor();
    const refusals = (count: number, share: (at: number) => Share) =>
      names("one", count).map((name, at) => door.enter(name, share(at)));
    const { account, tenant, all } = STRANGERS_MAY_WAIT;
    const ofAddress = refusals(account + PLACES, () => from(1));
    expect(ofAddress.filter((refusal) => refusal === null)).toHaveLength(account + PLACES / 3);
    const ofNetwork = refusals(tenant, (at) => shareOfStranger(`2001:db8:1:${at.toString(16)}::1`));
    expect(ofNetwork.filter((refusal) => refusal === null)).toHaveLength(tenant - account);
    expect(refusals(all, (at) => from(at + 2)).at(-1)).toBe("full");
  });

  test("take turns by network: a flood of one delays nobody of another", () => {
    const door = openDoor();
    for (const name of names("flood", 30)) door.enter(name, from(1));
    door.enter("honest", from(2));
    door.leave("flood0");
    door.leave("flood1");
    expect(door.started).toContain("honest");
  });
});
