// Public interface of the login-log feature for other features.
export { loginLogRoutes } from "./login-log.routes.ts";
