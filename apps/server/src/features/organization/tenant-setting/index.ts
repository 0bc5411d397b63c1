// Public interface of tenant settings for other features.
export { admitPhoneSearch, PHONE_SEARCHES_PER_DAY } from "./phone-search.gate.ts";
export { withPhoneGate } from "./phone-search.routes.ts";
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
