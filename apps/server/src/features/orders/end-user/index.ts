// Public interface of the end-user feature for other features.

export {
  type CodeRequest,
  countCodeFailure,
  deleteAppSession,
  deleteCode,
  deleteExpiredAppSignIns,
  ensureSignedInUser,
  ensureUser,
  findAppSession,
  findSignedInUser,
  insertAppSession,
  insertCode,
  isKnownPhone,
  lockCode,
  type SignedInUser,
} from "./app-sign-in.sql.ts";
export { endUserJobs } from "./end-user.jobs.ts";
export { endUserRoutes } from "./end-user.routes.ts";
export { closeAccount } from "./end-user.service.ts";
export { bindMiniProgramUser, findMiniProgramUser, findOpenid } from "./mini-program-user.sql.ts";
