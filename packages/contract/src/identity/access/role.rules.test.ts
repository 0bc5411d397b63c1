// Tests store scopes of roles, and stores of an account that such a scope ignores.
import { describe, expect, it } from "vitest";
import { roleIgnoringStores, type StoreScope, scopeFor } from "./role.rules.ts";

const role = (storeScope: StoreScope) => ({ name: storeScope, storeScope });

describe("store scope of a role", () => {
  it("maintenance staff: never all stores", () => {
    expect(scopeFor(2, "ALL")).toBe("OWN");
    expect(scopeFor(1, "ALL")).toBe("ALL");
    expect(scopeFor(2, "LISTED")).toBe("LISTED");
  });

  it("chosen stores: ignored by a role of an operator that shows all stores, by no other", () => {
    const all = role("ALL");
    const others = [role("OWN"), role("LISTED")];
    expect(roleIgnoringStores(1, [...others, all], [7])).toBe(all);
    expect(roleIgnoringStores(1, others, [7])).toBeNull();
    expect(roleIgnoringStores(1, [all], [])).toBeNull();
    expect(roleIgnoringStores(2, [all], [7])).toBeNull();
  });
});
