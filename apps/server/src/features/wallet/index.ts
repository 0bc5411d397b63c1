// What neighbours may use of wallets in the console.
export { walletRoutes } from "./wallet.routes.ts";
