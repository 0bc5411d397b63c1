// HTTP routes of stores.
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  createStore,
  deleteStore,
  getStore,
  importStores,
  listStores,
  showContact,
  suggestCode,
  updateStore,
} from "./store.service.ts";
import { findManagers, findStoreOptions } from "./store.sql.ts";

export const storeRoutes = mount(storeContract, {
  options: (ctx, { query }) => findStoreOptions(ctx.db, ctx.session, query.tenantId),
  list: (ctx, { query }) => listStores(ctx, query),
  managers: (ctx, { query }) => findManagers(ctx.db, ctx.session, query.tenantId),
  nextCode: (ctx, { query }) => suggestCode(ctx, query.tenantId),
  get: (ctx, { params }) => getStore(ctx, params.id),
  showContact: (ctx, { params }) => showContact(ctx, params.id),
  create: (ctx, { body }) => createStore(ctx, body),
  importLines: (ctx, { body }) => importStores(ctx, body),
  update: (ctx, { params, body }) => updateStore(ctx, params.id, body),
  delete: (ctx, { params }) => deleteStore(ctx, params.id),
});
