// Routes for pricing rules.
import { pricingContract } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { getPricing, savePricing } from "./pricing.service.ts";
import { simulatePricing } from "./simulation.service.ts";

export const pricingRoutes = mount(pricingContract, {
  simulate: (ctx, { query }) => simulatePricing(ctx, query),
  get: (ctx, { query }) => getPricing(ctx, query),
  save: (ctx, { body }) => savePricing(ctx, body),
});
