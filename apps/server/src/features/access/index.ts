// What neighbours may use of roles and menus.
export { accessRoutes } from "./access.routes.ts";
export { bindRole } from "./access.sql.ts";
export { ensureDefaultRoles } from "./default-roles.ts";
export { seedMenu } from "./seed-menu.ts";
