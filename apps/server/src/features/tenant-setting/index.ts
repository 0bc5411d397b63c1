// What neighbours may use of tenants' settings.
export { tenantSettingRoutes } from "./tenant-setting.routes.ts";
export { findMapKey, findSmsSign, tellsOverdue } from "./tenant-setting.service.ts";
export { hasOwnMapKeys } from "./tenant-setting.sql.ts";
