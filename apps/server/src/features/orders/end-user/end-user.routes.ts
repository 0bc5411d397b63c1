// Routes of end users and their tags.
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { tagContract } from "@cabinet/contract/orders/end-user/tag.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  deleteEndUser,
  getEndUser,
  listEndUsers,
  lockEndUser,
  showPhone,
} from "./end-user.service.ts";
import { addNote, deleteNote } from "./note.service.ts";
import {
  assignTags,
  createTag,
  deleteTag,
  importTags,
  replaceTags,
  updateTag,
} from "./tag.service.ts";
import { findTags } from "./tag.sql.ts";

export const endUserRoutes = [
  ...mount(endUserContract, {
    list: (ctx, { query }) => listEndUsers(ctx, query),
    get: (ctx, { params }) => getEndUser(ctx, params.id),
    showPhone: (ctx, { params, body }) => showPhone(ctx, params.id, body.reason),
    lock: (ctx, { params, query }) => lockEndUser(ctx, params.id, query),
    addNote: (ctx, { params, body }) => addNote(ctx, params.id, body.text),
    deleteNote: (ctx, { params }) => deleteNote(ctx, params.id, params.noteId),
    delete: (ctx, { params }) => deleteEndUser(ctx, params.id),
  }),
  ...mount(tagContract, {
    list: (ctx, { query }) => findTags(ctx.db, ctx.session, query),
    create: (ctx, { query }) => createTag(ctx, query),
    importLines: (ctx, { body }) => importTags(ctx, body),
    update: (ctx, { body }) => updateTag(ctx, body),
    delete: (ctx, { query }) => deleteTag(ctx, query.id),
    assign: (ctx, { body }) => assignTags(ctx, body),
    replace: (ctx, { body }) => replaceTags(ctx, body),
  }),
];
