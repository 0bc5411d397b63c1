// What neighbours may use of callbacks.
export { publishEvent } from "./publish.service.ts";
