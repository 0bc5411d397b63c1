// Public API of the package feature for other features.
export { coverByCard, previewCover, undoCover } from "./cover.service.ts";
export { findCards, lockCardsOf } from "./cover.sql.ts";
export { packageRoutes } from "./package.routes.ts";
export { findOffers } from "./package.sql.ts";
export { buyPackage, lockBonusPackageOrRefuse } from "./purchase.service.ts";
