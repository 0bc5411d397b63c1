// What neighbours may use of the map.
export { addMapService, mapRoutes } from "./map.routes.ts";
export { MapSetting } from "./map-setting.ts";
