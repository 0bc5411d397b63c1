// What neighbours may use of signing in.

export { authJobs } from "./auth.jobs.ts";
export { authRoutes } from "./auth.routes.ts";
export { createGatekeeper, findSessionOf } from "./auth.service.ts";
export { Captcha } from "./captcha.ts";
export { hashPassword } from "./password.ts";
