// Queries to invalidate after an announcement changed.
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";

export const announcementChanged = {
  invalidates: [
    announcementContract.list,
    announcementContract.get,
    announcementContract.editions,
    announcementContract.recipients,
    announcementContract.received,
    announcementContract.receivedOne,
    announcementContract.latest,
  ],
  isQuiet: true,
};
