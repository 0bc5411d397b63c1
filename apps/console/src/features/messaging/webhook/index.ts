// Exports of the webhook feature for other features.
export { deliveryTone } from "./webhook-words.ts";
