// Tests that no account can grant, or manage accounts with, more than it has itself.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { UserType } from "../../vocabulary/account.ts";
import { canGrant, canGrantPermissions, type GrantScope, mayManage } from "./grant.rules.ts";

const words = ["cabinet:read", "cabinet:write", "order:read", "role:write"];
const userTypes: UserType[] = [0, 1, 2];
const aSet = <T>(of: readonly T[]) => fc.subarray([...of]).map((some) => new Set(some));
const grant = fc.record({
  permissions: aSet(words),
  stores: fc.option(aSet([1, 2, 3]), { nil: null }),
});
const scope: fc.Arbitrary<GrantScope> = fc
  .tuple(grant, fc.constantFrom(2, 3), fc.constantFrom(...userTypes))
  .map(([given, tenantId, userType]) => ({ ...given, tenantId, userType }));
const platform: GrantScope = { tenantId: 1, userType: 0, permissions: new Set(), stores: null };

/** Union of two grants. */
const joined = (
  one: GrantScope,
  other: Pick<GrantScope, "permissions" | "stores">,
): GrantScope => ({
  ...one,
  permissions: new Set([...one.permissions, ...other.permissions]),
  stores: one.stores && other.stores && new Set([...one.stores, ...other.stores]),
});

/** Part of a grant that an account has itself. */
function within<Given extends Pick<GrantScope, "permissions" | "stores">>(
  of: GrantScope,
  given: Given,
) {
  const { stores } = of;
  return {
    ...given,
    permissions: new Set([...given.permissions].filter((word) => of.permissions.has(word))),
    stores: stores && new Set([...(given.stores ?? [1, 2, 3])].filter((id) => stores.has(id))),
  };
}

/** Account of the same tenant with no more permissions and stores, and of no higher kind. */
const below = (manager: GrantScope, other: GrantScope): GrantScope => ({
  ...within(manager, other),
  tenantId: manager.tenantId,
  userType: userTypes[Math.max(manager.userType, other.userType)] ?? 2,
});

describe("granting", () => {
  it("a granted account stays manageable by the granter", () => {
    fc.assert(
      fc.property(scope, scope, grant, (granter, other, asked) => {
        const account = below(granter, other);
        expect(mayManage(granter, account)).toBe(true);
        const given = canGrant(granter, asked) ? asked : within(granter, asked);
        expect(canGrant(granter, given)).toBe(true);
        expect(mayManage(granter, joined(account, given))).toBe(true);
      }),
    );
  });

  it("a managed account can grant nothing that its manager cannot", () => {
    fc.assert(
      fc.property(scope, scope, grant, (manager, other, asked) => {
        const account = below(manager, other);
        expect(canGrant(manager, within(account, asked))).toBe(true);
        if (!canGrant(manager, asked)) expect(canGrant(account, asked)).toBe(false);
      }),
    );
  });

  it("a permission can be granted exactly by accounts that have it", () => {
    fc.assert(
      fc.property(scope, fc.constantFrom(...words), (granter, word) => {
        expect(canGrantPermissions(granter, [word])).toBe(granter.permissions.has(word));
      }),
    );
  });

  it("platform staff may grant everything and manage every account", () => {
    fc.assert(
      fc.property(scope, grant, (account, given) => {
        expect(canGrant(platform, given)).toBe(true);
        expect(mayManage(platform, account)).toBe(true);
      }),
    );
  });
});

describe("managing accounts", () => {
  it("stops at another tenant and at a higher kind, whatever the permissions", () => {
    fc.assert(
      fc.property(scope, scope, (manager, account) => {
        if (manager.tenantId !== account.tenantId || account.userType < manager.userType) {
          expect(mayManage(manager, account)).toBe(false);
        }
      }),
    );
  });

  it("includes equals and the own account", () => {
    fc.assert(
      fc.property(scope, (account) => {
        expect(mayManage(account, account)).toBe(true);
      }),
    );
  });
});
