// HTTP routes of wallets and top-ups.
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  changeWallet,
  getWallet,
  listTopUps,
  listWallets,
  sumOfTopUps,
  sumOfWallets,
} from "./wallet.service.ts";

export const walletRoutes = mount(walletContract, {
  list: (ctx, { query }) => listWallets(ctx, query),
  sums: (ctx, { query }) => sumOfWallets(ctx, query),
  topUps: (ctx, { query }) => listTopUps(ctx, query),
  topUpSums: (ctx, { query }) => sumOfTopUps(ctx, query),
  get: (ctx, { query }) => getWallet(ctx, query.endUserId),
  change: (ctx, { body }) => changeWallet(ctx, body),
});
