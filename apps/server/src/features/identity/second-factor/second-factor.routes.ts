// HTTP handlers for two-step verification.
import { secondFactorContract } from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  beginPasskey,
  beginTotp,
  challengePasskey,
  confirmPasskey,
  confirmTotp,
  getSecondFactor,
  prepareProof,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  waysToProve,
} from "./second-factor.service.ts";

export const secondFactorRoutes = mount(secondFactorContract, {
  get: (ctx) => getSecondFactor(ctx),
  beginTotp: (ctx) => beginTotp(ctx),
  confirmTotp: (ctx, { body }) => confirmTotp(ctx, body.code),
  removeTotp: (ctx) => removeTotp(ctx),
  beginPasskey: (ctx, { body }) => beginPasskey(ctx, body.host),
  confirmPasskey: (ctx, { body }) => confirmPasskey(ctx, body),
  removePasskey: (ctx, { params }) => removePasskey(ctx, params.id),
  renewRecoveryCodes: (ctx) => renewRecoveryCodes(ctx),
  ways: (ctx, { query }) => waysToProve(ctx, query.host),
  challenge: (ctx, { body }) => challengePasskey(ctx, body.host),
  prove: { prepare: (ctx, { body }) => prepareProof(ctx, body) },
});
