// Exports of the webhook feature for other features.
export { deliveryTone } from "./callback-words.ts";
