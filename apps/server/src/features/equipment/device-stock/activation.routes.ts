// Route by which a cabinet gets its secret.
import { activationContract } from "@cabinet/contract/equipment/device-stock/activation.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import type { Vault } from "../../../platform/secrets.ts";
import type { BrokerAddress } from "./activation.rules.ts";
import { createActivation } from "./activation.service.ts";

export function activationRoutes(vault: Vault, broker: BrokerAddress) {
  const activate = createActivation(vault, broker);
  return mount(activationContract, { activate: (ctx, { body }) => activate(ctx, body) });
}
