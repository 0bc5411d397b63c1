// What neighbours may use of packages.
export { coverByCard, previewCover, undoCover } from "./cover.service.ts";
export { packageRoutes } from "./package.routes.ts";
