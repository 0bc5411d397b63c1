// Public interface of console wallets for other features.
export { walletRoutes } from "./wallet.routes.ts";
