// Nobody hands on, or takes over, more than they have: for any accounts and grants.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { UserType } from "../auth/auth.contract.ts";
import { canGrant, canGrantPermissions, mayManage, type Reach } from "./grant.rules.ts";

const words = ["cabinet:read", "cabinet:write", "order:read", "role:write"];
const userTypes: UserType[] = [0, 1, 2];
const aSet = <T>(of: readonly T[]) => fc.subarray([...of]).map((some) => new Set(some));
const grant = fc.record({
  permissions: aSet(words),
  stores: fc.option(aSet([1, 2, 3]), { nil: null }),
});
const reach: fc.Arbitrary<Reach> = fc
  .tuple(grant, fc.constantFrom(2, 3), fc.constantFrom(...userTypes))
  .map(([given, tenantId, userType]) => ({ ...given, tenantId, userType }));
const platform: Reach = { tenantId: 1, userType: 0, permissions: new Set(), stores: null };

/** What two grants give together. */
const joined = (one: Reach, other: Pick<Reach, "permissions" | "stores">): Reach => ({
  ...one,
  permissions: new Set([...one.permissions, ...other.permissions]),
  stores: one.stores && other.stores && new Set([...one.stores, ...other.stores]),
});

/** As much of a grant as an account has itself. */
function within<Given extends Pick<Reach, "permissions" | "stores">>(of: Reach, given: Given) {
  const { stores } = of;
  return {
    ...given,
    permissions: new Set([...given.permissions].filter((word) => of.permissions.has(word))),
    stores: stores && new Set([...(given.stores ?? [1, 2, 3])].filter((id) => stores.has(id))),
  };
}

/** An account of the same tenant that has no more, and is of no higher kind. */
const below = (manager: Reach, other: Reach): Reach => ({
  ...within(manager, other),
  tenantId: manager.tenantId,
  userType: userTypes[Math.max(manager.userType, other.userType)] ?? 2,
});

describe("granting", () => {
  it("never makes an account that the granter may not look after", () => {
    fc.assert(
      fc.property(reach, reach, grant, (granter, other, asked) => {
        const account = below(granter, other);
        expect(mayManage(granter, account)).toBe(true);
        const given = canGrant(granter, asked) ? asked : within(granter, asked);
        expect(canGrant(granter, given)).toBe(true);
        expect(mayManage(granter, joined(account, given))).toBe(true);
      }),
    );
  });

  it("goes down and never up: who is looked after can grant nothing that their manager cannot", () => {
    fc.assert(
      fc.property(reach, reach, grant, (manager, other, asked) => {
        const account = below(manager, other);
        expect(canGrant(manager, within(account, asked))).toBe(true);
        if (!canGrant(manager, asked)) expect(canGrant(account, asked)).toBe(false);
      }),
    );
  });

  it("is of one's own, one word at a time", () => {
    fc.assert(
      fc.property(reach, fc.constantFrom(...words), (granter, word) => {
        expect(canGrantPermissions(granter, [word])).toBe(granter.permissions.has(word));
      }),
    );
  });

  it("is open to platform staff, and every account to them", () => {
    fc.assert(
      fc.property(reach, grant, (account, given) => {
        expect(canGrant(platform, given)).toBe(true);
        expect(mayManage(platform, account)).toBe(true);
      }),
    );
  });
});

describe("looking after accounts", () => {
  it("ends at the tenant and at a higher kind, whatever they may do", () => {
    fc.assert(
      fc.property(reach, reach, (manager, account) => {
        if (manager.tenantId !== account.tenantId || account.userType < manager.userType) {
          expect(mayManage(manager, account)).toBe(false);
        }
      }),
    );
  });

  it("includes one's equals and oneself", () => {
    fc.assert(
      fc.property(reach, (account) => {
        expect(mayManage(account, account)).toBe(true);
      }),
    );
  });
});
