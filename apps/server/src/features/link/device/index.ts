// Public interface of the device feature for other features.

export { type DeviceLink, startLink } from "./broker/link.device.ts";
export { isBrokerReachedSql } from "./broker/receiver-share.sql.ts";
export { useChallenge } from "./gate/challenge.sql.ts";
export { ConnectGate } from "./gate/connect.gate.ts";
export { ConnectRate } from "./gate/connect-rate.rules.ts";
export { addBrokerHooks, deviceRoutes } from "./gate/device.routes.ts";
export { Keyring } from "./gate/keyring.cache.ts";
export { dropEndedConnections, endCabinetSecrets } from "./gate/secret.signal.ts";
export {
  cleanSecrets,
  deleteUnusedSecrets,
  endSecretAfter,
  endSecretNow,
  isKeyInForce,
  issueCabinetSecret,
  secretOwner,
} from "./gate/secret.sql.ts";
export type { AbsenceReports } from "./presence/absence-reports.port.ts";
export { notifyConfig, notifyConfigs } from "./presence/config.signal.ts";
export { effectiveConfigSql } from "./presence/config.sql.ts";
export { presenceJobs } from "./presence/presence.jobs.ts";
export {
  type CabinetKey,
  connectivitySql,
  type Gateway,
  isConnectedSql,
  isIdentitySharedSql,
  isReachedBySql,
  lineSql,
  requestResync,
} from "./presence/presence.sql.ts";
export { CabinetQueues, QueueFullError } from "./reports/cabinet-queues.runner.ts";
export type { CommandReports, NewSession } from "./reports/command-reports.port.ts";
export type { ConditionReport, ConditionReports } from "./reports/condition-reports.port.ts";
export type { OrderReports } from "./reports/order-reports.port.ts";
export type { PlaylistReports } from "./reports/playlist-reports.port.ts";
export type { BornCabinet, RolloutReports } from "./reports/rollout-reports.port.ts";
export {
  type CabinetId,
  createCabinet,
  deleteCabinet,
  markAbsences,
  takeSeqSql,
  updateCabinet,
  updateLifecycle,
  updateStore,
} from "./rows/cabinet.sql.ts";
export { type EventPlace, insertEvents, removeOldEvents } from "./rows/cabinet-event.sql.ts";
export {
  deleteModel,
  insertModel,
  updateMakerKey,
  updateModel,
} from "./rows/cabinet-model.sql.ts";
export {
  correctCompartments,
  updateAdminState,
  updateOccupancy,
} from "./rows/compartment.sql.ts";
export {
  mergeDesiredConfig,
  raiseConfigVersions,
  raiseDriftedVersion,
  replaceDesiredConfigs,
} from "./rows/desired-config.sql.ts";
export { applyLayout, createCompartments } from "./rows/layout.sql.ts";
