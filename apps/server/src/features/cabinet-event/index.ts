// Public interface of the cabinet-event feature.
export { cabinetEventRoutes } from "./cabinet-event.routes.ts";
export { type Deed, type DeedKind, eventText } from "./event-text.rules.ts";
