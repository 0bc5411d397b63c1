// App calls for announcements and FAQs; image addresses in their HTML are paths on our origin.

import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import { Id, IdParams, Strict, Timestamp } from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";

export const AppAnnouncement = named(
  "AppAnnouncement",
  Type.Object({
    id: Id,
    title: Type.String(),
    content: Type.String({ description: "HTML，已净化" }),
    isPinned: Type.Boolean(),
    isRead: Type.Boolean(),
    publishAt: Timestamp,
  }),
);
export type AppAnnouncement = Static<typeof AppAnnouncement>;

const AppFaqGroup = named(
  "AppFaqGroup",
  Type.Object({
    category: Type.String(),
    questions: Type.Array(
      Type.Object({
        id: Id,
        question: Type.String(),
        answer: Type.String({ description: "HTML，已净化" }),
      }),
    ),
  }),
);

export const appNoticeContract = {
  announcements: endpoint({
    method: "GET",
    path: "/app/v1/announcements",
    access: "end-user",
    summary: "运营商的公告，置顶的在前",
    query: PageQuery({}),
    reply: PageOf(AppAnnouncement),
  }),
  readAnnouncement: endpoint({
    method: "POST",
    path: "/app/v1/announcements/{id}/read",
    access: "end-user",
    summary: "阅读一条公告",
    params: IdParams,
    reply: Nothing,
  }),
  faq: endpoint({
    method: "GET",
    path: "/app/v1/faq",
    access: "end-user",
    summary: "常见问题，按分类；运营商自己的在前，平台的在后",
    query: Strict({
      keyword: Type.Optional(Type.String({ title: "问题/回答", maxLength: 60 })),
    }),
    reply: Type.Array(AppFaqGroup),
  }),
};
