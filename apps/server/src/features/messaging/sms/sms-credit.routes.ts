// HTTP routes of SMS credit.
import { smsCreditContract } from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  getAccount,
  listEntries,
  listRecharges,
  recharge,
  reverseRecharge,
  sumOfRecharges,
} from "./sms-credit.service.ts";

export const smsCreditRoutes = mount(smsCreditContract, {
  info: (ctx) => getAccount(ctx),
  infoOf: (ctx, { params }) => getAccount(ctx, params.tenantId),
  records: (ctx, { query }) => listRecharges(ctx, query),
  recordSums: (ctx, { query }) => sumOfRecharges(ctx, query),
  recordsOf: (ctx, { params, query }) =>
    listRecharges(ctx, { ...query, tenantId: params.tenantId }),
  entries: (ctx, { query }) => listEntries(ctx, query),
  recharge: (ctx, { body }) => recharge(ctx, body),
  reverse: (ctx, { params, body }) => reverseRecharge(ctx, params.id, body.reason),
});
