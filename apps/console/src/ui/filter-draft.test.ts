// Filters of platform staff while they are being typed.
import { describe, expect, it } from "vitest";
import { changedDraft } from "./filter-draft.ts";

const filters = [
  { names: ["tenantId"] },
  { names: ["storeId"], isOfTenant: true as const },
  { names: ["assignee"], isOfTenant: true as const },
  { names: ["modelId"] },
];

describe("draft of the filters", () => {
  it("another tenant: clears ids of the former one's records, and nothing else", () => {
    const draft = { tenantId: "2", storeId: "7", assignee: "9", modelId: "3", keyword: "a" };
    const cleared = { ...draft, storeId: "", assignee: "" };
    expect(changedDraft(filters, draft, { tenantId: "3" })).toEqual({ ...cleared, tenantId: "3" });
    expect(changedDraft(filters, draft, { tenantId: "" })).toEqual({ ...cleared, tenantId: "" });
  });

  it("a first tenant: clears a store that was chosen among all tenants' stores", () => {
    expect(changedDraft(filters, { storeId: "7" }, { tenantId: "3" })).toEqual({
      tenantId: "3",
      storeId: "",
    });
  });

  it("words that every tenant has stay, and so does what other changes leave alone", () => {
    const draft = { tenantId: "2", storeId: "7", assignee: "mine" };
    expect(changedDraft(filters, draft, { tenantId: "3" }).assignee).toBe("mine");
    expect(changedDraft(filters, draft, { modelId: "1" })).toEqual({ ...draft, modelId: "1" });
    expect(changedDraft(filters, draft, { tenantId: "2" })).toEqual(draft);
  });
});
