// Public interface of the cabinet-event feature.
export { cabinetEventRoutes } from "./cabinet-event.routes.ts";
export { type Action as Deed, type ActionKind as DeedKind, eventText } from "./event-text.rules.ts";
