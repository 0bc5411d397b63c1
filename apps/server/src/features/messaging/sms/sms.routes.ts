// HTTP routes of the SMS outbox.
import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { listSms, resendSms, showSmsText } from "./sms.service.ts";
import { findSmsChannel } from "./sms-channel.sql.ts";

export const smsRoutes = mount(smsContract, {
  history: (ctx, { query }) => listSms(ctx, query),
  way: async ({ db }) => {
    const channel = await findSmsChannel(db);
    return { carrier: channel?.isOn ? channel.carrier : null };
  },
  showText: (ctx, { params, body }) => showSmsText(ctx, params.id, body.reason),
  resend: (ctx, { params, body }) => resendSms(ctx, params.id, body.reason),
});
