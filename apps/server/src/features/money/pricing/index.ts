// Public API of the pricing feature for other features.
export { pricingRoutes } from "./pricing.routes.ts";
export { findCabinetPricing, findRuleInForce, setCabinetPricing } from "./pricing.service.ts";
export { nearestRuleSql } from "./pricing.sql.ts";
