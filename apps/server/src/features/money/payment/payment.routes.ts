// Routes for WeChat payments and reconciliation.
import { paymentContract } from "@cabinet/contract/money/payment/payment.contract.ts";
import { reconciliationContract } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { sumDifferences } from "./difference.sql.ts";
import { askToCheck, getSetting, saveSetting } from "./payment-setting.service.ts";
import {
  askToReconcile,
  creditDifference,
  listDifferences,
  resolve,
} from "./reconciliation.service.ts";
import { findRuns } from "./reconciliation.sql.ts";
import { askToCheckTopUp, getTopUpPayment, refundTopUp } from "./top-up-refund.service.ts";

export const paymentRoutes = [
  ...mount(paymentContract, {
    setting: (ctx, { query }) => getSetting(ctx, query.tenantId),
    saveSetting: (ctx, { body }) => saveSetting(ctx, body),
    checkSetting: (ctx, { body }) => askToCheck(ctx, body.tenantId),
    topUp: (ctx, { params }) => getTopUpPayment(ctx, params.id),
    refundTopUp: (ctx, { params, body }) => refundTopUp(ctx, params.id, body),
    checkTopUp: (ctx, { params }) => askToCheckTopUp(ctx, params.id),
  }),
  ...mount(reconciliationContract, {
    runs: (ctx, { query }) => findRuns(ctx.db, ctx.session, query),
    run: (ctx, { body }) => askToReconcile(ctx, body),
    differences: (ctx, { query }) => listDifferences(ctx, query),
    differenceSums: (ctx, { query }) => sumDifferences(ctx.db, ctx.session, query),
    resolve: (ctx, { params, body }) => resolve(ctx, params.id, body.reason),
    credit: (ctx, { params, body }) => creditDifference(ctx, params.id, body.reason),
  }),
];
