// Public interface of the auth feature.

export { authJobs } from "./auth.jobs.ts";
export { authRoutes } from "./auth.routes.ts";
export { accountKeyOf, createGatekeeper, findSessionOf, makeToken } from "./auth.service.ts";
export { accountKeySql, deleteSession, endSessionsOf, isSessionAliveSql } from "./auth.sql.ts";
export { Captcha } from "./captcha.gate.ts";
export { hashPassword } from "./password.crypto.ts";
