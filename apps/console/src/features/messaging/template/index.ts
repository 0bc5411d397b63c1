// Public exports of the template feature.
export { SubscribeStatus, subscribeResultText } from "./subscribe-state.tsx";
