// Queries to invalidate after a webhook endpoint changed.
import { callbackContract } from "@cabinet/contract/callback/callback.contract.ts";

export const endpointChanged = {
  invalidates: [callbackContract.endpoints, callbackContract.endpoint],
  isQuiet: true,
};
