// Calls of the notification centre (消息中心): everything that an account should notice, in one list.
import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import { Id, Nullable, OneOf, Strict, Timestamp } from "../../kit/fields.ts";
import { OwnNotice } from "../../messaging/maintenance-message/maintenance-message.contract.ts";
import {
  NOTIFICATION_GROUPS,
  NOTIFICATION_KINDS,
  NOTIFICATION_SEVERITIES,
} from "./notification.rules.ts";

export const Notification = Type.Object({
  key: Type.String(),
  kind: OneOf(NOTIFICATION_KINDS),
  group: OneOf(NOTIFICATION_GROUPS),
  severity: OneOf(NOTIFICATION_SEVERITIES),
  title: Type.String(),
  text: Type.String(),
  at: Timestamp,
  isUnread: Type.Boolean(),
  recordId: Nullable(Id),
  notice: { ...Nullable(OwnNotice), description: "发给本人的维护消息" },
});
export type Notification = Static<typeof Notification>;

const ids = (title: string) => Type.Array(Id, { title, maxItems: 100 });

export const notificationContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/notification/list",
    access: "signed-in",
    summary: "消息中心：待处理事项与通知，只含本账号有权查看的部分",
    reply: Type.Object({ list: Type.Array(Notification), at: Timestamp }),
  }),
  read: endpoint({
    method: "PUT",
    path: "/admin/v1/notification/read",
    access: "signed-in",
    risk: "routine",
    summary: "阅读消息",
    body: Strict({
      noticeIds: ids("维护消息"),
      announcementIds: ids("公告"),
      until: {
        ...Nullable(Type.String({ title: "截至", format: "date-time" })),
        description: "待处理事项：此刻及以前的标为已读",
      },
    }),
    reply: Nothing,
  }),
};
