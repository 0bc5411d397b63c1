// Public interface of tenant settings for other features.
export { tenantSettingRoutes } from "./tenant-setting.routes.ts";
export {
  countOperatorMoney,
  countReveal,
  findCodesPerHour,
  findMapKey,
  findSmsSign,
  sealedFor as mapCodeSealedFor,
  sendsOverdueNotices,
} from "./tenant-setting.service.ts";
export { dueBeforeSql, hasOwnMapKeys } from "./tenant-setting.sql.ts";
