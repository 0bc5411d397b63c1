// Public API of the mini-program feature for other features.
export { miniProgramJobs } from "./mini-program.jobs.ts";
export { miniProgramRoutes } from "./mini-program.routes.ts";
export { addMiniProgramPushRoute } from "./mini-program-push.gate.ts";
export { reportTrouble } from "./mini-program-setting.service.ts";
export {
  MiniPrograms,
  type OpenMiniProgram,
  pushKeySealedFor,
  pushTokenSealedFor,
  sealedFor as miniProgramSealedFor,
  sealMiniProgram,
} from "./mini-programs.cache.ts";
export { WechatRefusal } from "./wechat-refusal.labels.ts";
