// Public interface of the end-user feature for other features.

export {
  countCodeFailure,
  deleteAppSession,
  deleteCode,
  deleteExpiredAppSignIns,
  ensureSignedInUser,
  ensureUser,
  findAppSession,
  findSignedInUser,
  insertAppSession,
  isKnownPhone,
  lockCode,
  type SignedInUser,
  saveCode,
} from "./app-sign-in.sql.ts";
export { endUserRoutes } from "./end-user.routes.ts";
export { bindMiniProgramUser, findMiniProgramUser, findOpenid } from "./mini-program-user.sql.ts";
