// Public interface of the cabinet-event feature.
export { cabinetEventJobs } from "./cabinet-event.jobs.ts";
export { cabinetEventRoutes } from "./cabinet-event.routes.ts";
export {
  type Action as CompartmentAction,
  type ActionKind as CompartmentActionKind,
  eventText,
} from "./event-text.rules.ts";
