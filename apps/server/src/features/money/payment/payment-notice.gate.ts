// WeChat Pay webhook: trusts a notice by its signature alone and acknowledges it once it is stored.
import { PAYMENT_NOTICE_PATH } from "@cabinet/contract/money/payment/payment.rules.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { shareOfStranger } from "../../../platform/db/admission.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { reportDifference } from "./difference.sql.ts";
import { openPayment, type PaymentParts } from "./merchant.cache.ts";
import { writeNotice } from "./payment-setting.sql.ts";
import { creditTrade } from "./top-up.service.ts";
import { findRefundByNo } from "./top-up.sql.ts";
import { takeRefundAnswer } from "./top-up-refund.service.ts";
import type { Refund, Trade } from "./wechat-pay.client.ts";
import {
  type Merchant,
  openResource,
  type SealedResource,
  signatureHeadersOf,
} from "./wechat-signature.crypto.ts";

/** Rate limit per source address; WeChat repeats a notice up to fifteen times within a day. */
const NOTICES_PER_MINUTE = 1_200;

interface Notice {
  id: string;
  event_type: string;
  resource: SealedResource;
}

/** Refund in a notice: `refund_status` is named `status` in the answer to a query. */
type RefundNotice = Omit<Refund, "status"> & { refund_status: Refund["status"]; mchid: string };

interface NoticeRequest {
  Params: { tenantId: string };
  Body: string;
}

export function addPaymentNoticeRoute(app: FastifyInstance, parts: PaymentParts): void {
  const path = PAYMENT_NOTICE_PATH.replace("{tenantId}", ":tenantId");
  app.register(async (scope) => {
    // The signature covers the raw bytes of the body.
    scope.removeContentTypeParser("application/json");
    scope.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<NoticeRequest>(
      path,
      { config: { rateLimit: { max: NOTICES_PER_MINUTE, timeWindow: 60_000 } } },
      (request, reply) => takeNotice(request, reply, parts),
    );
  });
}

async function takeNotice(
  request: FastifyRequest<NoticeRequest>,
  reply: FastifyReply,
  parts: PaymentParts,
) {
  const tenantId = Number(request.params.tenantId);
  const isId = /^[1-9]\d{0,8}$/.test(request.params.tenantId);
  const signed = signatureHeadersOf((name) => headerOf(request, name));
  const unproven = parts.database.for({ share: shareOfStranger(request.ip) });
  const opened =
    isId && signed ? await openPayment({ ...parts, database: unproven }, tenantId) : null;
  // An unknown tenant gets the same answer as a wrong signature.
  if (!opened || !signed) return refuseNotice(reply, 401, "签名不正确");
  const { merchant, service } = opened;
  try {
    const proof = await service.prove(signed, request.body ?? "");
    if (proof !== "OK") {
      request.log.warn({ tenantId, proof }, "payment notice not believed");
      return refuseNotice(reply, 401, "签名不正确");
    }
  } catch (error) {
    request.log.warn({ tenantId, err: error }, "platform certificates not available");
    return refuseNotice(reply, 401, "签名不正确");
  }
  const read = readNotice(merchant, request.body);
  if (!read) {
    request.log.warn({ tenantId }, "payment notice not understood");
    return refuseNotice(reply, 400, "通知无法解密或不是通知");
  }
  await parts.database.transaction({ tenantId }, (db) => store(db, merchant, tenantId, read));
  return reply.code(204).send();
}

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" ? value : null;
}

const refuseNotice = (reply: FastifyReply, status: number, message: string) =>
  reply.code(status).send({ code: "FAIL", message });

interface PaymentNotice {
  notice: Notice;
  content: Trade | RefundNotice;
}

/** Null if the signed text is no notice or was sealed with another APIv3 key. */
function readNotice({ apiV3Key }: Merchant, body: string): PaymentNotice | null {
  try {
    const notice = JSON.parse(body) as Notice;
    const content = JSON.parse(openResource(apiV3Key, notice.resource)) as PaymentNotice["content"];
    return typeof notice.id === "string" && typeof notice.event_type === "string"
      ? { notice, content }
      : null;
  } catch {
    return null;
  }
}

async function store(
  db: Db,
  { mchid }: Merchant,
  tenantId: number,
  { notice, content }: PaymentNotice,
): Promise<void> {
  const isRefund = "refund_status" in content;
  const subject = isRefund ? content.out_refund_no : content.out_trade_no;
  const { id: noticeId, event_type: eventType } = notice;
  await writeNotice(db, { tenantId, noticeId, eventType, subject });
  if (content.mchid !== mchid) return;
  if (!isRefund) {
    if (content.trade_state === "SUCCESS") await creditTrade(db, tenantId, mchid, content);
    return;
  }
  const refund = await findRefundByNo(db, tenantId, subject);
  if (refund) {
    await takeRefundAnswer(db, refund, { ...content, status: content.refund_status });
    return;
  }
  await reportDifference(db, {
    tenantId,
    kind: "REFUND_NOT_HERE",
    subject,
    expectedFen: null,
    actualFen: content.amount.refund,
    detail: `微信退款单号 ${content.refund_id}`,
  });
}
