// HTTP routes of the web page's switch and stickers.
import { webPageContract } from "@cabinet/contract/orders/web-page/web-page.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { getSetting, listStickers, saveSetting } from "./web-page.service.ts";

export const webPageRoutes = mount(webPageContract, {
  setting: (ctx, { query }) => getSetting(ctx, query.tenantId),
  saveSetting: (ctx, { body }) => saveSetting(ctx, body),
  stickers: (ctx, { query }) => listStickers(ctx, query),
});
