// HTTP handlers of the app for the wallet.
import { appWalletContract } from "@cabinet/contract/orders/app/app-wallet.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import * as service from "./app-wallet.service.ts";
import { findMyJournals } from "./app-wallet.sql.ts";

export const appWalletRoutes = mount(appWalletContract, {
  wallet: (ctx) => service.getMyWallet(ctx),
  journals: ({ db, user }, { query }) => findMyJournals(db, user, query),
  packages: (ctx) => service.listPackages(ctx),
  buyPackage: (ctx, { params, body }) => service.buyMyPackage(ctx, params.id, body),
  topUp: (ctx, { body }) => service.startTopUp(ctx, body),
  topUpProgress: (ctx, { params }) => service.getTopUp(ctx, params.id),
});
