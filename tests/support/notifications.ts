// Notices of malfunctions as the notification centre shows them to one account.
import type { OwnNotice } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import type { Person, TestServer } from "./test-server.ts";

/** Unread notices to this account, newest first. */
export async function unreadNotices(
  testServer: Pick<TestServer, "call">,
  as: Person,
): Promise<OwnNotice[]> {
  const { data } = await testServer.call(notificationContract.list, as);
  return data.list
    .flatMap(({ notice, isUnread }) => (notice && isUnread ? [notice] : []))
    .sort((a, b) => b.id - a.id);
}
