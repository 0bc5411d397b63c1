// The calls about announcements.
import { announcementContract } from "@cabinet/contract/announcement/announcement.contract.ts";
import { mount } from "../../platform/mount.ts";
import { findLatestAnnouncement } from "./announcement.sql.ts";

export const announcementRoutes = mount(announcementContract, {
  latest: (ctx) => findLatestAnnouncement(ctx.db),
});
