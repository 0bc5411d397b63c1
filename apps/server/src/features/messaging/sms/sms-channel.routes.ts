// HTTP routes of the SMS channel.
import { smsChannelContract } from "@cabinet/contract/messaging/sms/sms-channel.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { askToCheck, getChannel, saveChannel } from "./sms-channel.service.ts";

export function smsChannelRoutes(vault: Vault) {
  return mount(smsChannelContract, {
    channel: (ctx) => getChannel(ctx),
    saveChannel: (ctx, { body }) => saveChannel(ctx, vault, body),
    checkChannel: (ctx) => askToCheck(ctx),
  });
}
