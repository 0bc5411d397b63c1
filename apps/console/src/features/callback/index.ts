// What neighbours may use of callbacks.
export { deliveryTone } from "./callback-words.ts";
