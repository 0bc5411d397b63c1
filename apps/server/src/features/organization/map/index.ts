// Public API of the map feature for other features.
export { addMapService, mapRoutes } from "./map.routes.ts";
export { MapSetting } from "./map-setting.service.ts";
