// Call of the search box: orders, people, cabinets, stores and accounts that match one text.
import { type Static, Type } from "typebox";
import { CONNECTIVITIES, LIFECYCLES } from "../../fleet/cabinet/cabinet.rules.ts";
import { endpoint } from "../../kit/endpoint.ts";
import { Id, Nullable, OneOf, Timestamp } from "../../kit/fields.ts";
import { UserType } from "../../vocabulary/account.ts";
import { CompartmentNo, Side } from "../../vocabulary/hardware.ts";
import { ORDER_STATES } from "../../vocabulary/order.rules.ts";
import { OrderPerson } from "../order/order.contract.ts";
import { SEARCH_MAX, SEARCH_MIN } from "./search.rules.ts";

const ofTenant = { id: Id, tenantName: Type.String() };

const OrderHit = Type.Object({
  ...ofTenant,
  side: Side,
  state: OneOf(ORDER_STATES),
  createdAt: Timestamp,
  cabinetName: Type.String(),
  compartmentNo: CompartmentNo,
  thirdPartyNo: Nullable(Type.String()),
  recipient: OrderPerson,
});
export type OrderHit = Static<typeof OrderHit>;

const PersonHit = Type.Object({
  ...ofTenant,
  name: Type.String(),
  phone: Type.String({ description: "已隐藏中间四位" }),
});
export type PersonHit = Static<typeof PersonHit>;

const CabinetHit = Type.Object({
  ...ofTenant,
  sn: Type.String(),
  name: Type.String(),
  storeName: Nullable(Type.String()),
  connectivity: OneOf(CONNECTIVITIES),
  lifecycle: OneOf(LIFECYCLES),
});
export type CabinetHit = Static<typeof CabinetHit>;

const StoreHit = Type.Object({ ...ofTenant, name: Type.String(), address: Type.String() });
export type StoreHit = Static<typeof StoreHit>;

const AccountHit = Type.Object({
  ...ofTenant,
  username: Type.String(),
  displayName: Type.String(),
  userType: UserType,
});
export type AccountHit = Static<typeof AccountHit>;

export const SearchHits = Type.Object({
  orders: Type.Array(OrderHit, { description: "进行中的在前，其余按时间倒序" }),
  people: Type.Array(PersonHit),
  cabinets: Type.Array(CabinetHit),
  stores: Type.Array(StoreHit),
  accounts: Type.Array(AccountHit),
});
export type SearchHits = Static<typeof SearchHits>;

export const searchContract = {
  find: endpoint({
    method: "GET",
    path: "/admin/v1/search",
    access: "signed-in",
    summary: "全局搜索：只返回账号有权查看的订单、用户、设备、门店和账号",
    query: Type.Object({
      text: Type.String({
        title: "搜索内容",
        minLength: SEARCH_MIN,
        maxLength: SEARCH_MAX,
        pattern: "\\S\\s*\\S",
        "x-phone": "SEARCH",
        description: "手机号或后四位、订单号、第三方单号、设备编号或名称、门店、账号",
      }),
    }),
    reply: SearchHits,
  }),
};
