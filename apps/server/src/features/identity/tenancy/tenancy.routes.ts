// HTTP routes of tenants and their terms.
import { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { takePassword } from "../auth/index.ts";
import * as service from "./tenancy.service.ts";

export const tenancyRoutes = mount(tenancyContract, {
  list: (ctx, { query }) => service.listTenants(ctx, query),
  get: (ctx, { params }) => service.getTenant(ctx, params.id),
  remains: (ctx, { params }) => service.readRemains(ctx, params.id),
  create: {
    async prepare({ session }, { body }) {
      const owner = { ...body.account, tenantName: body.name };
      const chosen = await takePassword(body.account.password, owner, session);
      return (ctx) => service.createTenant(ctx, body, chosen);
    },
  },
  update: (ctx, { query }) => service.updateTenant(ctx, query),
  delete: (ctx, { params }) => service.deleteTenant(ctx, params.id),
  renew: (ctx, { params, body }) => service.renew(ctx, params.id, body),
  exemptFromFactor: (ctx, { params, body }) => service.exemptFromFactor(ctx, params.id, body),
  suspend: (ctx, { params, body }) => service.suspendTenant(ctx, params.id, body.reason),
  resume: (ctx, { params, body }) => service.resumeTenant(ctx, params.id, body.reason),
  saveFeatures: (ctx, { params, body }) => service.saveFeatures(ctx, params.id, body),
  showContact: (ctx, { params }) => service.showContact(ctx, params.id),
});
