// Public interface of the cabinet-event feature.
export { cabinetEventRoutes } from "./cabinet-event.routes.ts";
export {
  type Action as CompartmentAction,
  type ActionKind as CompartmentActionKind,
  eventText,
} from "./event-text.rules.ts";
