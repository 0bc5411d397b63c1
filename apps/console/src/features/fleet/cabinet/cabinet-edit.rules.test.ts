// Form of the edit page: filled and sent without loss, differences reported by part.
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  changedParts,
  editOf,
  editWithPricing,
  filledIn,
  formOf,
  inheritedRule,
} from "./cabinet-edit.rules.ts";

const rule = {
  freeMinutes: 30,
  perUseFen: 0,
  stepMinutes: 60,
  stepFen: 150,
  capFen: null,
  overdueAfterMinutes: 1440,
  rates: [],
};
const saved = { ...rule, version: 3, editedAt: "2026-11-21T00:00:00.000Z", editedBy: "李伟" };

const detail: CabinetDetail = {
  id: 7,
  tenantId: 2,
  tenantName: "租户",
  sn: "ZC26D24A0007",
  name: "东门柜",
  modelId: 1,
  modelName: "双面柜",
  side: "DOUBLE",
  storeId: 4,
  storeName: "东门店",
  lifecycle: "ACTIVE",
  service: { state: "UNSET", startsOn: null, endsOn: null, daysLeft: null },
  orderRefusal: null,
  storeOutage: null,
  connectivity: "ONLINE",
  lastSeenAt: null,
  appVersion: null,
  signalDbm: null,
  compartments: { total: 0, free: 0, occupied: 0, faulty: 0 },
  desiredConfigVersion: 5,
  reportedConfigVersion: 4,
  storeAddress: null,
  storeLongitude: 120,
  storeLatitude: 30,
  storeOpeningHours: null,
  servicePhone: "400-800-1234",
  place: "收银台旁",
  longitude: null,
  latitude: null,
  openingHours: "",
  modelVendor: "",
  modelCapabilities: [],
  desiredConfig: { volume: 60, lightOnAt: "18:30", lightOffAt: "06:30" },
  desiredConfigAt: null,
  reportedConfig: { volume: 45, lightOnAt: "18:30", disco: true },
  reportedConfigAt: null,
  pricing: { cabinet: null, store: null, tenant: saved },
  editVersion: 2,
  editedAt: null,
  editedBy: null,
  temperatureC: null,
  clockSkewSeconds: null,
  invalidReadings: [],
  createdAt: "2026-11-01T00:00:00.000Z",
} as CabinetDetail;

describe("edit form", () => {
  it("sends back the values that it was filled with, against the same versions", () => {
    expect(editOf(formOf(detail), detail)).toEqual({
      editVersion: 2,
      desiredConfigVersion: 5,
      name: "东门柜",
      storeId: 4,
      servicePhone: "400-800-1234",
      place: "收银台旁",
      longitude: null,
      latitude: null,
      openingHours: "",
      config: detail.desiredConfig,
      pricing: null,
    });
    const own = { ...detail, pricing: { ...detail.pricing, cabinet: saved } };
    expect(editOf(formOf(own), own).pricing).toEqual(rule);
  });

  it("editWithPricing changes the pricing rule alone", () => {
    const dearer = { ...rule, stepFen: rule.stepFen + 100 };
    expect(editWithPricing(detail, dearer)).toEqual({
      ...editOf(formOf(detail), detail),
      pricing: dearer,
    });
  });

  it("reports no changed part until something changes", () => {
    const form = formOf(detail);
    expect(changedParts(form, formOf(detail))).toEqual([]);
    // An emptied setting equals one that was never set; a place is one part, not two numbers.
    expect(
      changedParts(form, { ...form, config: { ...form.config, volume: 60, x: null } }),
    ).toEqual([]);
    const place = { ...form.place, isOwn: true, longitude: 121, latitude: 31 };
    expect(changedParts(form, { ...form, place, config: {} })).toEqual(["坐标", "设备参数"]);
    expect(changedParts(form, { ...form, hasOwnPricing: true })).toEqual(["计费规则"]);
    expect(changedParts(form, { ...form, storeId: null })).toEqual(["门店"]);
  });

  it("keeps only settings that are filled in", () => {
    const value = fc.oneof(fc.integer(), fc.constantFrom(null, undefined, "", "08:00"));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), (config) => {
        const kept = Object.entries(filledIn(config));
        expect(kept.every(([, one]) => one !== null && one !== undefined && one !== "")).toBe(true);
        for (const [name, one] of Object.entries(config)) {
          if (typeof one === "number") expect(kept).toContainEqual([name, one]);
        }
      }),
    );
  });
});

describe("inherited pricing", () => {
  it("is the rule of the store, the tenant, or the default", () => {
    expect(inheritedRule(detail)).toEqual({ scope: "TENANT", rule });
    const store = { ...saved, stepFen: 200 };
    expect(inheritedRule({ pricing: { ...detail.pricing, store } })).toMatchObject({
      scope: "STORE",
      rule: { stepFen: 200 },
    });
    const none = { cabinet: saved, store: null, tenant: null };
    expect(inheritedRule({ pricing: none }).scope).toBe("DEFAULT");
  });
});
