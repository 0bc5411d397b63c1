// Routes for pictures in rich texts.
import { richTextContract } from "@cabinet/contract/messaging/rich-text/rich-text.contract.ts";
import { refuse } from "../../../platform/errors.ts";
import { mount } from "../../../platform/http/mount.ts";
import { findImage, findPublicImage, type ImageUse } from "./rich-text.sql.ts";

/** `uses`: the features that contain pictures; they decide who may see them. */
export function richTextRoutes(uses: readonly ImageUse[]) {
  return mount(richTextContract, {
    image: async ({ db, session }, { params }) =>
      (await findImage(db, session, params.fileId, uses)) ?? refuse("NOT_FOUND", { what: "图片" }),
    appImage: async ({ database }, { params }) => {
      const found = await database.read("platform", (db) =>
        findPublicImage(db, params.fileId, uses),
      );
      return found ?? refuse("NOT_FOUND", { what: "图片" });
    },
  });
}
