// Calls for the SMS channel (短信通道): the installation's carrier for all tenants, set by the
// platform.
import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import { EditVersionOrNew, Nullable, OneOf, Strict, Timestamp } from "../../kit/fields.ts";
import { SETTING_CHECK_STATES } from "../../kit/setting-check.rules.ts";
import { SMS_CARRIERS } from "./sms-carrier.rules.ts";

/** Readable part of the setting: the secret is write-only. */
export const SmsChannel = Type.Object({
  carrier: OneOf(SMS_CARRIERS),
  isOn: Type.Boolean(),
  keyId: Type.String(),
  hasSecret: Type.Boolean(),
  sign: Type.String(),
  appId: Type.String(),
  checkState: OneOf(SETTING_CHECK_STATES),
  checkText: Type.String(),
  checkedAt: Nullable(Timestamp),
  waiting: Type.Integer({ description: "待发送与发送中的短信" }),
  lastSentAt: Nullable(Timestamp),
  editVersion: Type.Integer({
    description: "保存时原样交回，防止覆盖他人的修改；0 表示还没有保存过",
  }),
  editedAt: Nullable(Timestamp),
  editedBy: Type.String(),
});
export type SmsChannel = Static<typeof SmsChannel>;

const channelFields = {
  carrier: OneOf(SMS_CARRIERS, "短信通道"),
  keyId: Type.String({ title: "访问密钥 ID", minLength: 1, pattern: "^[A-Za-z0-9]{16,64}$" }),
  secret: Type.Optional(Type.String({ title: "访问密钥", pattern: "^[A-Za-z0-9]{16,64}$" })),
  sign: Type.String({ title: "默认签名", minLength: 2, maxLength: 12, pattern: "^[^【】\\s]+$" }),
  appId: Type.String({ title: "短信应用 SdkAppId", pattern: "^(\\d{8,12})?$" }),
  isOn: Type.Boolean({ title: "启用" }),
};

export const SmsChannelDraft = Strict(channelFields);
export type SmsChannelDraft = Static<typeof SmsChannelDraft>;

export const smsChannelContract = {
  channel: endpoint({
    method: "GET",
    path: "/admin/v1/sms/channel",
    access: "platform",
    summary: "短信通道（密钥只写不读）",
    reply: SmsChannel,
  }),
  saveChannel: endpoint({
    method: "PUT",
    path: "/admin/v1/sms/channel",
    access: "platform",
    risk: "trust",
    summary: "保存短信通道",
    body: Strict({
      ...channelFields,
      editVersion: EditVersionOrNew,
    }),
    reply: Nothing,
  }),
  checkChannel: endpoint({
    method: "POST",
    path: "/admin/v1/sms/channel/check",
    access: "platform",
    risk: "routine",
    summary: "验证短信通道",
    reply: Nothing,
  }),
};
