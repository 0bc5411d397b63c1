// Public interface of the web page's setting for other features.
export { tenantCodeOf, tenantOfCode } from "./tenant-code.crypto.ts";
export { webPageRoutes } from "./web-page.routes.ts";
export { findPublicLogo, findWebPage, type WebPage } from "./web-page.sql.ts";
