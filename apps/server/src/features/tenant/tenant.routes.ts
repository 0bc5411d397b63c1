// HTTP routes of tenants.
import { tenantContract } from "@cabinet/contract/tenant/tenant.contract.ts";
import { mount } from "../../platform/mount.ts";
import { findTenantOptions } from "./tenant.sql.ts";

export const tenantRoutes = mount(tenantContract, {
  options: (ctx) => findTenantOptions(ctx.db, ctx.session),
});
