// Compile-time test: the types of the client for third parties are those of the contract.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { openApiContract } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import type {
  AppFacts,
  CabinetPage,
  NewOrder,
  Opening,
  Order,
  OrderPage,
  OrderQuery,
} from "@cabinet/open-api-client";

type Contract = typeof openApiContract;
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
type Body = Input<Contract["createOrder"]>["body"];
/** Fields with a default may be left out of a request. */
type Draft = Omit<Body, "itemNote" | "reserveMinutes" | "opensDoor"> &
  Partial<Pick<Body, "itemNote" | "reserveMinutes" | "opensDoor">>;

export const isSame: {
  /** Scopes may be added: the client has them as plain texts. */
  app: Same<AppFacts, Omit<Reply<Contract["whoAmI"]>, "scopes"> & { scopes: string[] }>;
  order: Same<Order, Reply<Contract["order"]>>;
  orders: Same<OrderPage, Reply<Contract["orders"]>>;
  opening: Same<Opening, Reply<Contract["opening"]>>;
  cabinets: Same<CabinetPage, Reply<Contract["cabinets"]>>;
  draft: Same<NewOrder, Draft>;
  query: Same<Required<OrderQuery>, Required<Input<Contract["orders"]>["query"]>>;
} = {
  ...{ app: true, order: true, orders: true, opening: true, cabinets: true },
  ...{ draft: true, query: true },
};
