// What neighbours may use of the stock of new devices.
export { activationRoutes } from "./activation.routes.ts";
export { type BrokerAddress, mqttHint } from "./activation.rules.ts";
export { deviceStockRoutes } from "./device-stock.routes.ts";
