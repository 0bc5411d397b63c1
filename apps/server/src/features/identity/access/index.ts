// Public interface of the access feature: roles and menus.
export { accessRoutes } from "./access.routes.ts";
export { bindRole } from "./access.sql.ts";
export { ensureDefaultRoles } from "./default-roles.seed.ts";
export {
  findManageable,
  grantScopeOf,
  publishAccessChange,
  requireManageable,
} from "./grant-scope.service.ts";
export { seedMenu } from "./menu.seed.ts";
export { roleRoutes } from "./role.routes.ts";
export { bindRoles } from "./role-member.service.ts";
