// What neighbours may use of the log of sign-ins.
export { loginLogRoutes } from "./login-log.routes.ts";
