// Calls for a tenant's web page (网页版): its switch, and the cabinets whose QR codes are printed.
import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import {
  EditVersionOrNew,
  Id,
  Nullable,
  StoreId,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { MAX_STICKERS } from "./web-page.rules.ts";

export const WebPageSetting = Type.Object({
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  tenantCode: Type.String({ description: "网页地址里的运营商代码，猜不出来" }),
  isOn: Type.Boolean(),
  editVersion: Type.Integer({
    description: "保存时原样交回，防止覆盖他人的修改；0 表示还没有保存过",
  }),
  editedAt: Nullable(Timestamp),
  editedBy: Type.String(),
});
export type WebPageSetting = Static<typeof WebPageSetting>;

const Sticker = Type.Object({
  cabinetId: Id,
  sn: Type.String(),
  name: Type.String(),
  storeName: Nullable(Type.String()),
});
export type Sticker = Static<typeof Sticker>;

/** Platform staff may select a tenant. */
const ofTenant = { tenantId: Type.Optional(TenantId) };

export const webPageContract = {
  setting: endpoint({
    method: "GET",
    path: "/admin/v1/web-page/setting",
    access: "web-page:read",
    summary: "网页版是否开通",
    query: Strict(ofTenant),
    reply: WebPageSetting,
  }),
  saveSetting: endpoint({
    method: "PUT",
    path: "/admin/v1/web-page/setting",
    access: "web-page:write",
    risk: "data",
    summary: "开通或关闭网页版",
    body: Strict({
      isOn: Type.Boolean({ title: "网页版" }),
      ...ofTenant,
      editVersion: EditVersionOrNew,
    }),
    reply: Nothing,
  }),
  stickers: endpoint({
    method: "GET",
    path: "/admin/v1/web-page/sticker",
    access: "web-page:read",
    summary: `打印二维码贴纸的柜机，按门店和名称排列，最多 ${MAX_STICKERS} 台；不含已停用的`,
    query: Strict({ storeId: Type.Optional(StoreId), ...ofTenant }),
    reply: Type.Object({ list: Type.Array(Sticker), total: Type.Integer() }),
  }),
};
