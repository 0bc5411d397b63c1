// Public interface of the second-factor feature.
export { totpSealedFor } from "./second-factor.crypto.ts";
export { secondFactorRoutes } from "./second-factor.routes.ts";
export { clearFactors, findFactorDeadline, requireExemptDay } from "./second-factor.service.ts";
