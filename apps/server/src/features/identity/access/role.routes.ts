// HTTP handlers for roles and their members.
import { roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import * as service from "./role.service.ts";
import { candidates, saveMembers } from "./role-member.service.ts";

export const roleRoutes = mount(roleContract, {
  list: (ctx, { query }) => service.listRoles(ctx, query),
  options: (ctx, { query }) => service.roleOptions(ctx, query.tenantId),
  grantable: (ctx, { query }) => service.grantable(ctx, query.tenantId),
  get: (ctx, { params }) => service.getRole(ctx, params.id),
  create: (ctx, { body }) => service.createRole(ctx, body),
  update: (ctx, { params, body }) => service.updateRole(ctx, params.id, body),
  copy: (ctx, { params, body }) => service.copyRole(ctx, params.id, body.name),
  delete: (ctx, { params, query }) => service.deleteRole(ctx, params.id, query.members),
  candidates: (ctx, { params }) => candidates(ctx, params.id),
  saveMembers: (ctx, { params, body }) => saveMembers(ctx, params.id, body),
});
