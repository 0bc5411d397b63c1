// Route by which a cabinet gets its secret.
import { activationContract } from "@cabinet/contract/equipment/device-stock/activation.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import type { BrokerAddress } from "./activation.rules.ts";
import { activate } from "./activation.service.ts";

export const activationRoutes = (broker: BrokerAddress) =>
  mount(activationContract, { activate: (ctx, { body }) => activate(ctx, broker, body) });
