// Routes of frequently asked questions.
import { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { uploadImage } from "../rich-text/index.ts";
import {
  createFaq,
  deleteFaq,
  getFaq,
  hideOfPlatform,
  listOfPlatform,
  moveFaq,
  turnFaq,
  updateFaq,
} from "./faq.service.ts";
import { findFaqs } from "./faq.sql.ts";
import {
  createCategory,
  deleteCategory,
  moveCategory,
  updateCategory,
} from "./faq-category.service.ts";
import { findCategories } from "./faq-category.sql.ts";
import { findHelp } from "./faq-reader.sql.ts";

export const faqRoutes = mount(faqContract, {
  categories: ({ db, session }, { query }) => findCategories(db, session, query),
  createCategory: (ctx, { body }) => createCategory(ctx, body),
  updateCategory: (ctx, { params, body }) => updateCategory(ctx, params.id, body),
  deleteCategory: (ctx, { params }) => deleteCategory(ctx, params.id),
  orderCategory: (ctx, { params, body }) => moveCategory(ctx, params.id, body.step),
  list: ({ db, session }, { query }) => findFaqs(db, session, query),
  get: (ctx, { params }) => getFaq(ctx, params.id),
  upload: (ctx, { body }) => uploadImage(ctx, body),
  create: (ctx, { body }) => createFaq(ctx, body),
  update: (ctx, { params, body }) => updateFaq(ctx, params.id, body),
  turn: (ctx, { params, body }) => turnFaq(ctx, params.id, body.isOn),
  order: (ctx, { params, body }) => moveFaq(ctx, params.id, body.step),
  delete: (ctx, { params }) => deleteFaq(ctx, params.id),
  ofPlatform: (ctx, { query }) => listOfPlatform(ctx, query),
  hide: (ctx, { params, body }) => hideOfPlatform(ctx, params.id, body),
  help: ({ db }, { query }) => findHelp(db, query.keyword),
});
