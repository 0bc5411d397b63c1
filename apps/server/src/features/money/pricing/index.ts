// Public API of the pricing feature for other features.
export { pricingRoutes } from "./pricing.routes.ts";
export { findCabinetPricing, setCabinetPricing } from "./pricing.service.ts";
export { ruleJsonSql } from "./pricing.sql.ts";
