// Public interface of the auth feature.

export {
  deleteAccount,
  hasOperators,
  insertOperator,
  isUsernameTaken,
  updateAccount,
  updateDisabled,
  updateFirstPassword,
  updateProfile,
} from "./account.sql.ts";
export { authJobs } from "./auth.jobs.ts";
export { authRoutes } from "./auth.routes.ts";
export { createGatekeeper, findSessionOf, makeToken } from "./auth.service.ts";
export {
  accountKeySql,
  deleteOtherSessions,
  deleteSession,
  endSessionsOf,
  isSessionAliveSql,
} from "./auth.sql.ts";
export { Captcha, useOnce } from "./captcha.gate.ts";
export { endImpersonationsOf, insertImpersonation } from "./impersonation-session.sql.ts";
export { hashPassword } from "./password.crypto.ts";
export { weaknessOf } from "./password-strength.ts";
export { forgetWrongPasswords } from "./sign-in-limits.gate.ts";
