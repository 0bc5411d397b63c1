// Public interface of the app feature.
export { appJobs } from "./app.jobs.ts";
export { appRoutes } from "./app.routes.ts";
export { appNoticeRoutes } from "./app-notice.routes.ts";
export { appOrderRoutes } from "./app-order.routes.ts";
export { appPageRoutes } from "./app-page.routes.ts";
export { createAppGatekeeper } from "./app-session.service.ts";
export { appWalletRoutes } from "./app-wallet.routes.ts";
