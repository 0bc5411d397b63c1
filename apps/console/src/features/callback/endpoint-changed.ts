// What is asked for anew when a callback address has changed.
import { callbackContract } from "@cabinet/contract/callback/callback.contract.ts";

export const endpointChanged = {
  invalidates: [callbackContract.endpoints, callbackContract.endpoint],
  isQuiet: true,
};
