// Tests availability of compartments, admin actions and stock audits.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ADMIN_STATES,
  DOOR_STATES,
  ITEM_STATES,
  OCCUPANCIES,
} from "../../vocabulary/hardware.rules.ts";
import {
  type AdminAction,
  adminActions,
  type CompartmentAxes,
  contradictsFinding,
  isContradictory,
  mayChangeAdminState,
  mayClear,
  occupancyAsFound,
  STOCK_FINDINGS,
  unavailableReason,
} from "./compartment.rules.ts";

const axes: fc.Arbitrary<CompartmentAxes> = fc.record({
  adminState: fc.constantFrom(...ADMIN_STATES),
  occupancy: fc.constantFrom(...OCCUPANCIES),
  doorFront: fc.constantFrom(...DOOR_STATES),
  doorBack: fc.constantFrom(...DOOR_STATES, null),
  item: fc.constantFrom(...ITEM_STATES),
});
const finding = fc.constantFrom(...STOCK_FINDINGS);

const working = { refusal: null, connectivity: "ONLINE" } as const;

describe("an available compartment", () => {
  it("is enabled, free, consistent and has no open door", () => {
    fc.assert(
      fc.property(axes, (of) => {
        const isAvailable =
          of.adminState === "ENABLED" &&
          of.occupancy === "FREE" &&
          of.item !== "PRESENT" &&
          of.doorFront !== "OPEN" &&
          of.doorBack !== "OPEN";
        expect(unavailableReason(of, working) === null).toBe(isAvailable);
      }),
    );
  });

  it("shows the most pressing reason otherwise", () => {
    const of: CompartmentAxes = {
      adminState: "FAULT",
      occupancy: "OCCUPIED",
      doorFront: "OPEN",
      doorBack: null,
      item: "EMPTY",
    };
    const reason = (facts: Partial<CompartmentAxes>) =>
      unavailableReason({ ...of, ...facts }, working);
    expect(reason({})).toBe("FAULT");
    expect(reason({ adminState: "ENABLED" })).toBe("CONTRADICTORY");
    expect(reason({ adminState: "ENABLED", item: "UNKNOWN" })).toBe("DOOR_OPEN");
  });

  it("offline cabinet: a free compartment is OFFLINE, an occupied one stays OCCUPIED", () => {
    const free = { adminState: "ENABLED", occupancy: "FREE", item: "EMPTY" } as const;
    const closed = { doorFront: "CLOSED", doorBack: null } as const;
    for (const connectivity of ["OFFLINE", "NEVER"] as const) {
      const gone = { refusal: null, connectivity };
      expect(unavailableReason({ ...free, ...closed }, gone)).toBe("OFFLINE");
      const occupied = { ...free, ...closed, occupancy: "OCCUPIED", item: "PRESENT" } as const;
      expect(unavailableReason(occupied, gone)).toBe("OCCUPIED");
      expect(unavailableReason({ ...free, ...closed }, { ...gone, refusal: "RETIRED" })).toBe(
        "NO_NEW_ORDERS",
      );
    }
  });
});

describe("admin actions", () => {
  it.each<[AdminAction, string[]]>([
    ["enable", ["DISABLED", "FAULT"]],
    ["disable", ["ENABLED"]],
    ["markFault", ["ENABLED", "DISABLED", "FAULT"]],
  ])("%s starts from %j", (action, from) => {
    expect(ADMIN_STATES.filter((state) => mayChangeAdminState(action, state)).sort()).toEqual(
      from.sort(),
    );
    expect(ADMIN_STATES).toContain(adminActions[action].to);
  });

  it("clearing needs a compartment that is not free and whose sensor sees no goods", () => {
    expect(mayClear({ occupancy: "OCCUPIED", item: "EMPTY" })).toBe(true);
    expect(mayClear({ occupancy: "RESERVED", item: "UNKNOWN" })).toBe(true);
    expect(mayClear({ occupancy: "OCCUPIED", item: "PRESENT" })).toBe(false);
    expect(mayClear({ occupancy: "FREE", item: "EMPTY" })).toBe(false);
  });
});

describe("stock audit", () => {
  it("skipped compartments contradict nothing", () => {
    fc.assert(fc.property(axes, (of) => !contradictsFinding(of, "SKIPPED")));
  });

  it("reports every contradiction of database and sensor, whatever was found", () => {
    fc.assert(
      fc.property(axes, fc.constantFrom("EMPTY" as const, "PRESENT" as const), (of, found) => {
        if (isContradictory(of)) expect(contradictsFinding(of, found)).toBe(true);
      }),
    );
  });

  it("correcting database and sensor to the finding leaves no contradiction", () => {
    fc.assert(
      fc.property(axes, finding, (of, found) => {
        if (found === "SKIPPED") return;
        const after = { ...of, occupancy: occupancyAsFound(of.occupancy, found), item: found };
        expect(contradictsFinding(after, found)).toBe(false);
        expect(isContradictory(after)).toBe(false);
        expect(occupancyAsFound(after.occupancy, found)).toBe(after.occupancy);
      }),
    );
  });

  it("leaves skipped and reserved compartments unchanged", () => {
    fc.assert(
      fc.property(axes, finding, ({ occupancy }, found) => {
        expect(occupancyAsFound(occupancy, "SKIPPED")).toBe(occupancy);
        expect(occupancyAsFound("RESERVED", found)).toBe("RESERVED");
      }),
    );
  });
});
