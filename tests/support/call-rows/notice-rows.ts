// Calls about announcements, FAQ and their images.
import { PIXEL_PNG } from "../adverts.ts";
import { announcementDraft } from "../announcements.ts";
import { type CallName, type CallRow, nothing } from "../call-row.ts";

const picture = { name: "photo.png", bytes: PIXEL_PNG };
const question = { question: "忘记取件码怎么办？", answer: "<p>凭手机号查询。</p>", isOn: true };

export const noticeRows = {
  "announcement.latest": { input: nothing },
  "announcement.list": {
    input: ({ tenantId }) => ({ query: { tenantId, keyword: "公告", pageSize: 100 } }),
  },
  "announcement.get": { input: ({ announcementId }) => ({ params: { id: announcementId } }) },
  "announcement.editions": { input: ({ announcementId }) => ({ params: { id: announcementId } }) },
  "announcement.recipients": {
    input: ({ announcementId }) => ({ params: { id: announcementId }, query: { pageSize: 100 } }),
  },
  "announcement.upload": { input: ({ tenantId }) => ({ body: { tenantId }, file: picture }) },
  "announcement.create": {
    input: ({ tenantId }) => ({ body: { ...announcementDraft, tenantId } }),
    isForAllStores: true,
  },
  "announcement.update": {
    input: ({ announcementId }) => ({
      params: { id: announcementId },
      body: { ...announcementDraft, editVersion: 1 },
    }),
    isForAllStores: true,
  },
  "announcement.publish": {
    input: ({ draftAnnouncementId }) => ({
      params: { id: draftAnnouncementId },
      body: { publishAt: null },
    }),
    isForAllStores: true,
  },
  "announcement.withdraw": {
    input: ({ announcementId }) => ({
      params: { id: announcementId },
      body: { reason: "内容有误" },
    }),
    isForAllStores: true,
  },
  "announcement.delete": {
    input: ({ draftAnnouncementId }) => ({ params: { id: draftAnnouncementId } }),
    isForAllStores: true,
  },
  "announcement.received": { input: () => ({ query: { pageSize: 100 } }) },
  "announcement.receivedOne": {
    input: ({ platformAnnouncementId }) => ({ params: { id: platformAnnouncementId } }),
  },
  "announcement.read": { input: ({ announcementId }) => ({ body: { ids: [announcementId] } }) },
  "app-notice.announcements": { input: nothing },
  "app-notice.readAnnouncement": {
    input: ({ appAnnouncementId }) => ({ params: { id: appAnnouncementId } }),
  },
  "app-notice.faq": { input: nothing },
  "faq.categories": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "faq.createCategory": {
    input: ({ tenantId }) => ({ body: { tenantId, name: "取件", audience: "END_USER" } }),
    isForAllStores: true,
  },
  "faq.updateCategory": {
    input: ({ faqCategoryId }) => ({
      params: { id: faqCategoryId },
      body: { name: "取件", editVersion: 1 },
    }),
    isForAllStores: true,
  },
  "faq.deleteCategory": {
    input: ({ spareFaqCategoryId }) => ({ params: { id: spareFaqCategoryId } }),
    isForAllStores: true,
  },
  "faq.orderCategory": {
    input: ({ faqCategoryId }) => ({ params: { id: faqCategoryId }, body: { step: "down" } }),
    isForAllStores: true,
  },
  "faq.list": {
    input: ({ tenantId, faqCategoryId }) => ({
      query: { tenantId, categoryId: faqCategoryId, keyword: "问题" },
    }),
  },
  "faq.get": { input: ({ faqId }) => ({ params: { id: faqId } }) },
  "faq.upload": { input: ({ tenantId }) => ({ body: { tenantId }, file: picture }) },
  "faq.create": {
    input: ({ faqCategoryId }) => ({ body: { ...question, categoryId: faqCategoryId } }),
    isForAllStores: true,
  },
  "faq.update": {
    input: ({ faqId, spareFaqCategoryId }) => ({
      params: { id: faqId },
      body: { ...question, categoryId: spareFaqCategoryId, editVersion: 1 },
    }),
    isForAllStores: true,
  },
  "faq.turn": {
    input: ({ faqId }) => ({ params: { id: faqId }, body: { isOn: false } }),
    isForAllStores: true,
  },
  "faq.order": {
    input: ({ faqId }) => ({ params: { id: faqId }, body: { step: "down" } }),
    isForAllStores: true,
  },
  "faq.delete": {
    input: ({ faqId }) => ({ params: { id: faqId } }),
    isForAllStores: true,
  },
  "faq.ofPlatform": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "faq.hide": {
    input: ({ platformFaqId, tenantId }) => ({
      params: { id: platformFaqId },
      body: { isHidden: false, tenantId },
    }),
    isForAllStores: true,
  },
  "faq.help": { input: nothing },
  "rich-text.image": { input: ({ noticeImageId }) => ({ params: { fileId: noticeImageId } }) },
  "rich-text.appImage": { input: ({ noticeImageId }) => ({ params: { fileId: noticeImageId } }) },
} satisfies Partial<Record<CallName, CallRow>>;
