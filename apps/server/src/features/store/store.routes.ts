// The calls about stores.
import { storeContract } from "@cabinet/contract/store/store.contract.ts";
import { mount } from "../../platform/mount.ts";
import { findStoreOptions } from "./store.sql.ts";

export const storeRoutes = mount(storeContract, {
  options: (ctx, { query }) => findStoreOptions(ctx.db, ctx.session, query.tenantId),
});
