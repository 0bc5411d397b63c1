// HTTP handlers of the app for the web page and malfunction reports.
import { appPageContract } from "@cabinet/contract/orders/app/app-page.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  getPage,
  getPageText,
  getPublicLogo,
  reportMalfunction,
  uploadReportPhoto,
} from "./app-page.service.ts";

/** `hasInbox`: the demo shows text messages instead of sending them. */
export function appPageRoutes(hasInbox: boolean) {
  return mount(appPageContract, {
    page: (ctx, { query }) => getPage(ctx, query, hasInbox),
    legal: (ctx, { query }) => getPageText(ctx, query),
    logo: (ctx, { params }) => getPublicLogo(ctx, params.fileId),
    reportMalfunction: (ctx, { body }) => reportMalfunction(ctx, body),
    uploadPhoto: (ctx, { body }) => uploadReportPhoto(ctx, body),
  });
}
