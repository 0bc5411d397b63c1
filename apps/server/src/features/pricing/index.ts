// What neighbours may use of pricing rules.
export { pricingRoutes } from "./pricing.routes.ts";
export { findCabinetPricing, setCabinetPricing } from "./pricing.service.ts";
