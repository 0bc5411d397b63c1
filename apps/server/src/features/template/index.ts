// What neighbours may use of message templates.
export { smsTextOf, type Telling, type Told, tell } from "./tell.service.ts";
