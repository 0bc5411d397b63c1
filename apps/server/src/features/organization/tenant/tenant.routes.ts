// HTTP routes of tenants.
import { tenantContract } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { findTenantOptions } from "./tenant.sql.ts";

export const tenantRoutes = mount(tenantContract, {
  options: (ctx) => findTenantOptions(ctx.db, ctx.session),
});
