// HTTP routes of the SMS channel.
import { smsChannelContract } from "@cabinet/contract/messaging/sms/sms-channel.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { askToCheck, getChannel, saveChannel } from "./sms-channel.service.ts";

export const smsChannelRoutes = mount(smsChannelContract, {
  channel: (ctx) => getChannel(ctx),
  saveChannel: (ctx, { body }) => saveChannel(ctx, body),
  checkChannel: (ctx) => askToCheck(ctx),
});
