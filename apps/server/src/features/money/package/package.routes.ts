// Routes for packages and purchased cards.
import { packageContract } from "@cabinet/contract/money/package/package.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { sumCards } from "./card.sql.ts";
import {
  deletePackage,
  getPackage,
  listCards,
  listCardUses,
  putOnSale,
  savePackage,
  sellPackage,
} from "./package.service.ts";
import { findPackages } from "./package.sql.ts";

export const packageRoutes = mount(packageContract, {
  list: (ctx, { query }) => findPackages(ctx.db, ctx.session, query),
  get: (ctx, { params }) => getPackage(ctx, params.id),
  save: (ctx, { body }) => savePackage(ctx, body),
  putOnSale: (ctx, { params, body }) => putOnSale(ctx, params.id, body.isOnSale),
  delete: (ctx, { params }) => deletePackage(ctx, params.id),
  sell: (ctx, { body }) => sellPackage(ctx, body),
  cards: (ctx, { query }) => listCards(ctx, query),
  cardSums: (ctx, { query }) => sumCards(ctx.db, ctx.session, query),
  cardUses: (ctx, { params, query }) => listCardUses(ctx, params.id, query),
});
