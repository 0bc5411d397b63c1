// Routes for console accounts.
import { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import * as service from "./operator.service.ts";
import * as access from "./operator-access.service.ts";

export const operatorRoutes = mount(operatorContract, {
  list: (ctx, { query }) => service.listOperators(ctx, [0, 1], query),
  maintenanceList: (ctx, { query }) => service.listOperators(ctx, [2], query),
  get: (ctx, { params }) => service.getOperator(ctx, params.id),
  scope: (ctx, { body }) => service.previewScope(ctx, body),
  roles: (ctx, { params }) => service.rolesOfOperator(ctx, params.id),
  add: {
    async prepare(ctx, { body }) {
      const chosen = await service.takeFirstPassword(ctx, body);
      return (within) => service.addOperator(within, { ...body, ...chosen });
    },
  },
  update: (ctx, { body }) => service.updateOperator(ctx, body),
  delete: (ctx, { params }) => access.deleteOperator(ctx, params.id),
  bindRoles: (ctx, { body }) => service.bindOperatorRoles(ctx, body),
  resetPassword: {
    async prepare(ctx, { body }) {
      const chosen = await access.takeNewPassword(ctx, body);
      return (within) => access.resetPassword(within, { ...body, ...chosen });
    },
  },
  disable: (ctx, { params, body }) => access.disableOperator(ctx, params.id, body.reason),
  enable: (ctx, { params, body }) => access.enableOperator(ctx, params.id, body.reason),
  unlock: (ctx, { params, body }) => access.unlockOperator(ctx, params.id, body.reason),
  clearSecondFactor: (ctx, { params, body }) =>
    access.clearSecondFactor(ctx, params.id, body.reason),
  exemptFromFactor: (ctx, { params, body }) => access.exemptFromFactor(ctx, params.id, body),
  showPhone: (ctx, { params }) => service.showPhone(ctx, params.id),
});
