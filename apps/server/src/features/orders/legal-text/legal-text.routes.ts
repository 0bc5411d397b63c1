// HTTP routes of legal texts.
import { legalTextContract } from "@cabinet/contract/orders/legal-text/legal-text.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { getText, listTexts, publishText } from "./legal-text.service.ts";

export const legalTextRoutes = mount(legalTextContract, {
  list: (ctx, { query }) => listTexts(ctx, query.tenantId),
  get: (ctx, { params, query }) => getText(ctx, params.id, query.tenantId),
  publish: (ctx, { body }) => publishText(ctx, body),
});
