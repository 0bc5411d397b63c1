// Public interface of the correction of recipients for other features.

export { orderRecipientRoutes } from "./order-recipient.routes.ts";
