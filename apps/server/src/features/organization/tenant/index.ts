// Public interface of tenants for other features.
export { PLATFORM_TENANT_ID } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
export { tenantRoutes } from "./tenant.routes.ts";
export { requireTenant } from "./tenant.service.ts";
export { findTenant, lockTenant } from "./tenant.sql.ts";
export { tenantExpiresOnSql, tenantStateSql } from "./tenant-term.sql.ts";
