// HTTP handlers for cabinet secrets.
import { cabinetSecretContract } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import type { BrokerAddress } from "../device-stock/index.ts";
import {
  issueSecret,
  listKeyedCabinets,
  revokeSecret,
  saveNetworks,
} from "./cabinet-secret.service.ts";

export const cabinetSecretRoutes = (broker: BrokerAddress) =>
  mount(cabinetSecretContract, {
    list: (ctx, { query }) => listKeyedCabinets(ctx, query),
    issue: (ctx, { params, body }) => issueSecret(ctx, broker, params.id, body.overlapHours),
    revoke: (ctx, { params, body }) => revokeSecret(ctx, params.id, body),
    saveNetworks: (ctx, { params, body }) => saveNetworks(ctx, params.id, body.networks),
  });
