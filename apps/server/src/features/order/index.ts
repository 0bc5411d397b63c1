// What neighbours may use of orders.
export { orderRoutes } from "./order.routes.ts";
