// Public interface of the device-stock feature for other features.
export { activationRoutes } from "./activation.routes.ts";
export { type BrokerAddress, mqttHint } from "./activation.rules.ts";
export { deviceStockRoutes } from "./device-stock.routes.ts";
export { returnDevicesOf } from "./device-stock.sql.ts";
