// Public interface of the auth feature.

export {
  deleteAccount,
  factorExemptUntilSql,
  findAccount,
  hasOperators,
  insertOperator,
  isFactorExemptSql,
  isFirstPasswordExpiredSql,
  isUsernameTaken,
  shownExemptUntilSql,
  updateAccount,
  updateDisabled,
  updateFactorExemption,
  updateFirstPassword,
  updateHasSecondFactor,
  updateProfile,
} from "./account.sql.ts";
export { authJobs } from "./auth.jobs.ts";
export { authRoutes } from "./auth.routes.ts";
export { type FactorFacts, isFactorDemanded } from "./auth.rules.ts";
export { createGatekeeper, findSessionOf, type PrefetchHome } from "./auth.service.ts";
export {
  accountKeySql,
  deleteOtherSessions,
  deleteSession,
  endSessionsOf,
  forgetProofsElsewhere,
  insertLoginLog,
  isSessionAliveSql,
  markProven,
  replaceToken,
  savePasskeyChallenge,
  takePasskeyChallenge,
} from "./auth.sql.ts";
export { Captcha, type SolvedCaptcha, useOnce } from "./captcha.gate.ts";
export { lockDisplayNameOrRefuse, requireOwnName } from "./display-name.gate.ts";
export { endImpersonationsOf, insertImpersonation } from "./impersonation-session.sql.ts";
export { hashPassword, makeFirstPassword, verifyPassword } from "./password.crypto.ts";
export { type ChosenPassword, takePassword, weaknessOf } from "./password-strength.gate.ts";
export {
  countWrong,
  forgetWrongPasswords,
  refusalOf,
  type Tries,
  triesOfSession,
} from "./sign-in-limits.gate.ts";
