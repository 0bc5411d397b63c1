// HTTP handlers for announcements.
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { uploadImage } from "../rich-text/index.ts";
import {
  createAnnouncement,
  deleteAnnouncement,
  getAnnouncement,
  getReceived,
  listRecipients,
  publishAnnouncement,
  readAnnouncements,
  updateAnnouncement,
  withdrawAnnouncement,
} from "./announcement.service.ts";
import { findAnnouncements, findEditions } from "./announcement.sql.ts";
import { findLatestVersion, findReceived } from "./recipient.sql.ts";

export const announcementRoutes = mount(announcementContract, {
  latest: ({ db, session }) => findLatestVersion(db, session),
  list: ({ db, session }, { query }) => findAnnouncements(db, session, query),
  get: (ctx, { params }) => getAnnouncement(ctx, params.id),
  editions: async (ctx, { params, query }) => {
    const { id } = await getAnnouncement(ctx, params.id);
    return findEditions(ctx.db, id, query);
  },
  recipients: (ctx, { params, query }) => listRecipients(ctx, params.id, query),
  upload: (ctx, { body }) => uploadImage(ctx, body),
  create: (ctx, { body }) => createAnnouncement(ctx, body),
  update: (ctx, { params, body }) => updateAnnouncement(ctx, params.id, body),
  publish: (ctx, { params, body }) => publishAnnouncement(ctx, params.id, body.publishAt),
  withdraw: (ctx, { params, body }) => withdrawAnnouncement(ctx, params.id, body.reason),
  delete: (ctx, { params }) => deleteAnnouncement(ctx, params.id),
  received: ({ db, session }, { query }) => findReceived(db, session, query),
  receivedOne: (ctx, { params }) => getReceived(ctx, params.id),
  read: (ctx, { body }) => readAnnouncements(ctx, body.ids),
});
