// Field type of rich text (富文本), and calls for its images.

import { type Static, Type } from "typebox";
import { endpoint, StoredFile } from "../../kit/endpoint.ts";
import { Nullable, Strict, Uuid } from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { RICH_TEXT_MAX } from "./rich-text.rules.ts";

/** HTML; the server sanitises it to the allow-list of `rich-text.rules.ts`. */
export const RichText = (title: string) =>
  Type.String({
    title,
    minLength: 1,
    maxLength: RICH_TEXT_MAX,
    description: "HTML",
    "x-text": "raw",
  });

export const RichTextImage = named(
  "RichTextImage",
  Type.Object({
    id: Uuid,
    /** Value of the image's `src` in the text. */
    address: Type.String(),
    name: Type.String(),
    width: Nullable(Type.Integer()),
    height: Nullable(Type.Integer()),
  }),
);
export type RichTextImage = Static<typeof RichTextImage>;

const ofFile = { params: Strict({ fileId: Uuid }), replyForm: "file", reply: StoredFile } as const;

export const richTextContract = {
  image: endpoint({
    method: "GET",
    path: "/admin/v1/rich-text/image/{fileId}",
    access: "signed-in",
    summary: "公告和常见问题中的图片",
    ...ofFile,
  }),
  appImage: endpoint({
    method: "GET",
    path: "/app/v1/rich-text/image/{fileId}",
    access: "public",
    summary: "已发布给用户的公告和常见问题中的图片",
    ...ofFile,
  }),
};
