// What neighbours may use of message templates.
export { SubscribeStatus, subscribeResultText } from "./subscribe-state.tsx";
