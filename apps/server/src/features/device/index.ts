// What neighbours may use of devices.
export { notifyConfig } from "./config-notice.ts";
export { connectivitySql, isConnectedSql } from "./presence.sql.ts";
export { issueCabinetSecret } from "./secret.sql.ts";
