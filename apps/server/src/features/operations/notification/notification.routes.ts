// Routes of the notification centre.
import { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { listNotifications, readNotifications } from "./notification.service.ts";

export const notificationRoutes = mount(notificationContract, {
  list: (ctx) => listNotifications(ctx),
  read: (ctx, { body }) => readNotifications(ctx, body),
});
