// Filter drafts of platform staff before they are applied.
import { describe, expect, it } from "vitest";
import { changedDraft } from "./filter-draft.ts";

const filters = [
  { names: ["tenantId"] },
  { names: ["storeId"], isOfTenant: true as const },
  { names: ["assignee"], isOfTenant: true as const },
  { names: ["modelId"] },
];

describe("filter draft", () => {
  it("another tenant: clears ids of the former tenant's records and nothing else", () => {
    const draft = { tenantId: "2", storeId: "7", assignee: "9", modelId: "3", keyword: "a" };
    const cleared = { ...draft, storeId: "", assignee: "" };
    expect(changedDraft(filters, draft, { tenantId: "3" })).toEqual({ ...cleared, tenantId: "3" });
    expect(changedDraft(filters, draft, { tenantId: "" })).toEqual({ ...cleared, tenantId: "" });
  });

  it("first tenant: clears a store that was chosen among all tenants' stores", () => {
    expect(changedDraft(filters, { storeId: "7" }, { tenantId: "3" })).toEqual({
      tenantId: "3",
      storeId: "",
    });
  });

  it("another tenant or another change: keeps words that are valid for every tenant", () => {
    const draft = { tenantId: "2", storeId: "7", assignee: "mine" };
    expect(changedDraft(filters, draft, { tenantId: "3" }).assignee).toBe("mine");
    expect(changedDraft(filters, draft, { modelId: "1" })).toEqual({ ...draft, modelId: "1" });
    expect(changedDraft(filters, draft, { tenantId: "2" })).toEqual(draft);
  });
});
