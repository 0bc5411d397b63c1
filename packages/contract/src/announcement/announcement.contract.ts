// Announcements (公告 / 版本通知): the latest version notice, for the dialog and the bell.
import { type Static, Type } from "typebox";
import { endpoint } from "../kit/endpoint.ts";
import { Nullable, Strict, Timestamp } from "../kit/fields.ts";

/** Specification §3: version notice. `content` is HTML, sanitised again where it is shown. */
export const VersionNotice = Type.Object({
  version: Type.String(),
  content: Type.String(),
  updateTime: Timestamp,
});
export type VersionNotice = Static<typeof VersionNotice>;

export const announcementContract = {
  latest: endpoint({
    method: "GET",
    path: "/admin/v1/announcement/latest",
    access: "signed-in",
    summary: "最新版本通知，没有时为空",
    query: Strict({}),
    reply: Nullable(VersionNotice),
  }),
};
