// What neighbours may use of tenants.
export { tenantRoutes } from "./tenant.routes.ts";
export { requireTenant } from "./tenant.service.ts";
export { ensureTenant, findTenant, PLATFORM_TENANT_ID } from "./tenant.sql.ts";
