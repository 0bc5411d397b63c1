// Calls for packages (套餐) that a tenant sells and for the cards that people bought.

import { type Static, Type } from "typebox";
import { endpoint, Nothing, RecordId } from "../../kit/endpoint.ts";
import {
  amountOf,
  EditVersion,
  Id,
  IdParams,
  Nullable,
  nameOf,
  OneOf,
  PersonPhonePart,
  Reason,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery, SumsOf } from "../../kit/pagination.ts";
import { SIDES } from "../../vocabulary/hardware.rules.ts";
import { CARD_KINDS, CARD_STATES, PACKAGE_KINDS } from "./package.rules.ts";

export const MAX_PACKAGE_FEN = 1_000_000;
export const MAX_USES = 1_000;
export const MAX_VALID_DAYS = 1_095;
const fen = (title: string) => Type.Integer({ title, minimum: 0, maximum: MAX_PACKAGE_FEN });
const Sides = Type.Array(OneOf(SIDES), {
  title: "适用设备",
  minItems: 1,
  maxItems: 2,
  uniqueItems: true,
});

const termFields = {
  name: nameOf("套餐名称", 1, 30),
  kind: OneOf(PACKAGE_KINDS, "套餐类型"),
  sides: Sides,
  priceFen: fen("售价"),
  bonusFen: fen("赠送金额"),
  uses: Nullable(Type.Integer({ title: "可用次数", minimum: 1, maximum: MAX_USES })),
  validDays: Nullable(Type.Integer({ title: "有效天数", minimum: 1, maximum: MAX_VALID_DAYS })),
  coverLimitFen: Nullable(fen("单次最多抵扣")),
  remark: Type.String({ title: "说明", maxLength: 200 }),
};
export const PackageDraft = Strict(termFields);
export type PackageDraft = Static<typeof PackageDraft>;

export const Package = named(
  "Package",
  Type.Object({
    id: Id,
    tenantId: Type.Integer(),
    tenantName: Type.String(),
    ...termFields,
    name: Type.String({ title: "套餐名称" }),
    isOnSale: Type.Boolean(),
    sold: Type.Integer({ description: "售出的卡" }),
    held: Type.Integer({ description: "其中仍可使用" }),
    editVersion: Type.Integer({ description: "保存时原样交回，防止覆盖他人的修改" }),
    editedAt: Timestamp,
    editedBy: Type.String(),
  }),
);
export type Package = Static<typeof Package>;

const packageFilters = {
  side: Type.Optional(OneOf(SIDES, "单双面")),
  keyword: Type.Optional(Type.String({ title: "名称/说明", maxLength: 64 })),
  kind: Type.Optional(OneOf(PACKAGE_KINDS, "套餐类型")),
  isOnSale: Type.Optional(Type.Boolean({ title: "状态" })),
  tenantId: Type.Optional(TenantId),
  sort: Type.Optional(OneOf(["name", "price", "edited"], "排序")),
  order: Type.Optional(OneOf(["asc", "desc"], "排序方向")),
};

const cardFilters = {
  side: Type.Optional(OneOf(SIDES, "单双面")),
  phone: Type.Optional(PersonPhonePart),
  packageId: Type.Optional(Id),
  endUserId: Type.Optional(Id),
  kind: Type.Optional(OneOf(CARD_KINDS, "套餐类型")),
  state: Type.Optional(OneOf(CARD_STATES, "状态")),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  tenantId: Type.Optional(TenantId),
};

export const PackageCard = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  endUserId: Id,
  userName: Type.String(),
  phone: Type.String({ description: "已隐藏中间四位" }),
  packageId: Id,
  name: Type.String(),
  kind: OneOf(CARD_KINDS),
  sides: Sides,
  priceFen: Type.Integer(),
  coverLimitFen: Nullable(Type.Integer()),
  uses: Nullable(Type.Integer()),
  usesLeft: Nullable(Type.Integer()),
  boughtAt: Timestamp,
  expiresAt: Timestamp,
  state: OneOf(CARD_STATES),
  usedTimes: Type.Integer({ description: "抵扣过的订单数" }),
  coveredFen: Type.Integer({ description: "抵扣的金额合计" }),
});
export type PackageCard = Static<typeof PackageCard>;

export const CardUse = Type.Object({
  orderId: Id,
  side: OneOf(SIDES),
  cabinetName: Type.String(),
  compartmentNo: Type.Integer(),
  fen: Type.Integer(),
  usedAt: Timestamp,
});
export type CardUse = Static<typeof CardUse>;

const saved = { ...termFields, isOnSale: Type.Boolean({ title: "上架" }) };

/** Price that the buyer saw; the purchase is refused if the current price is higher. */
export const AgreedPrice = amountOf("同意支付的价格", "本人看到的售价（分）；现价更高时不扣款");

export const packageContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/package/list",
    access: "package:read",
    summary: "套餐列表",
    query: PageQuery(packageFilters),
    reply: PageOf(Package),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/package/{id}",
    access: "package:read",
    summary: "套餐详情",
    params: IdParams,
    reply: Package,
  }),
  save: endpoint({
    method: "POST",
    path: "/admin/v1/package/save",
    access: "package:write",
    risk: "money",
    summary: "新增或编辑套餐",
    body: Strict({
      ...saved,
      /** Id of the edited package; absent: creates a new one in this tenant. */
      id: Type.Optional(Id),
      editVersion: Type.Optional(EditVersion),
      tenantId: Type.Optional(TenantId),
    }),
    reply: RecordId,
  }),
  putOnSale: endpoint({
    method: "PUT",
    path: "/admin/v1/package/sale/{id}",
    access: "package:write",
    risk: "money",
    summary: "上架或下架套餐",
    params: IdParams,
    body: Strict({ isOnSale: Type.Boolean({ title: "上架" }) }),
    reply: Nothing,
  }),
  delete: endpoint({
    method: "DELETE",
    path: "/admin/v1/package/del/{id}",
    access: "package:write",
    risk: "data",
    summary: "删除套餐",
    params: IdParams,
    reply: Nothing,
  }),
  sell: endpoint({
    method: "POST",
    path: "/admin/v1/package/sell",
    access: "package:write",
    risk: "money-by-sum",
    pressed: true,
    summary: "为用户开通套餐卡，从其钱包支付",
    once: "always",
    body: Strict({ packageId: Id, endUserId: Id, agreedFen: AgreedPrice, reason: Reason }),
    reply: Type.Object({ userPackageId: Id }),
  }),
  cards: endpoint({
    method: "GET",
    path: "/admin/v1/package/card/list",
    access: "package:read",
    summary: "用户购买的套餐卡",
    query: PageQuery(cardFilters),
    reply: PageOf(PackageCard),
  }),
  cardSums: endpoint({
    method: "GET",
    path: "/admin/v1/package/card/sums",
    access: "package:read",
    load: "heavy",
    summary: "用户购买的套餐卡合计",
    query: Strict(cardFilters),
    reply: SumsOf({ priceFen: Type.Integer(), coveredFen: Type.Integer() }),
  }),
  cardUses: endpoint({
    method: "GET",
    path: "/admin/v1/package/card/{id}/uses",
    access: "package:read",
    summary: "一张套餐卡抵扣过的订单",
    params: IdParams,
    query: PageQuery({}),
    reply: PageOf(CardUse),
  }),
};
