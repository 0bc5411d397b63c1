// What neighbours may use of the log of cabinets.
export { cabinetEventRoutes } from "./cabinet-event.routes.ts";
export { type Deed, type DeedKind, eventText } from "./event-text.rules.ts";
