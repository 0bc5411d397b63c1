// Public interface of the device feature for other features.

export type { AbsenceReports } from "./absence-reports.ts";
export { CabinetQueues, QueueFullError } from "./cabinet-queues.ts";
export { useChallenge } from "./challenge.sql.ts";
export type { CommandReports, NewSession } from "./command-reports.ts";
export type { ConditionReport, ConditionReports } from "./condition-reports.ts";
export { notifyConfig, notifyConfigs } from "./config-notice.ts";
export { ConnectGate } from "./connect-gate.ts";
export { ConnectRate } from "./connect-rate.rules.ts";
export { addBrokerHooks, deviceRoutes } from "./device.routes.ts";
export { Keyring } from "./keyring.ts";
export { type DeviceLink, startLink } from "./link.device.ts";
export type { OrderReports } from "./order-reports.ts";
export type { PlaylistReports } from "./playlist-reports.ts";
export {
  type CabinetKey,
  connectivitySql,
  type Gateway,
  isConnectedSql,
  isReachedBySql,
} from "./presence.sql.ts";
export type { BornCabinet, RolloutReports } from "./rollout-reports.ts";
export { deleteUnusedSecrets, isKeyInForce, issueCabinetSecret } from "./secret.sql.ts";
export { dropEndedConnections, endCabinetSecrets } from "./secret-notice.ts";
export { startTicking } from "./ticker.ts";
