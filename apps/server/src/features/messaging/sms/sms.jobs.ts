// Jobs of text messages: send due ones, poll carriers for receipts, erase those no longer kept.
import { inBatches, type JobSet } from "../../../platform/jobs/jobs.ts";
import type { SmsUrls } from "./carrier.port.ts";
import { CHECK_CHANNEL, SEND, SEND_NOTICES } from "./sms.queue.ts";
import { checkChannel, SmsChannels } from "./sms-channel.service.ts";
import { followWork } from "./sms-follow.service.ts";
import { smsWork } from "./sms-sender.runner.ts";
import { forgetOldSms } from "./sms-sending.sql.ts";

const FORGET = "sms.forgetOld";
const AT_ONCE = 1_000;

export function smsJobs(urls: SmsUrls): JobSet {
  const channels = new SmsChannels(urls);
  const codes = smsWork(SEND, "codes", channels);
  const follow = followWork(channels);
  const notices = smsWork(SEND_NOTICES, "notices", channels);
  return {
    tasks: {
      [SEND]: (_payload, tools) => codes.drain(tools),
      [SEND_NOTICES]: (_payload, tools) => notices.drain(tools),
      [CHECK_CHANNEL]: (_payload, { database }) => checkChannel(database, channels),
      [FORGET]: (_payload, { database }) => inBatches(database, AT_ONCE, forgetOldSms),
      "sms.follow": (_payload, tools) => follow.drain(tools),
    },
    urgent: [SEND],
    waitingTimes: [
      { column: "sms_message.due_at", atMost: "15 minutes", where: "state = 'QUEUED'" },
      { column: "sms_message.due_at", atMost: "14 hours", where: "state in ('SENDING', 'SENT')" },
    ],
    cron: [
      // Covers messages queued by a process that died.
      { task: SEND, pattern: "* * * * *" },
      { task: SEND_NOTICES, pattern: "* * * * *" },
      { task: "sms.follow", pattern: "* * * * *" },
      { task: FORGET, pattern: "10 18 * * *" },
    ],
  };
}
