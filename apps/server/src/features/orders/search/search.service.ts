// Finds what a text may mean, in the groups that the account has the permission for.
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type { SearchHits } from "@cabinet/contract/orders/search/search.contract.ts";
import { meaningOf } from "@cabinet/contract/orders/search/search.rules.ts";
import { type Ctx, mayDo } from "../../../platform/context.ts";
import {
  findAccountHits,
  findCabinetHits,
  findOrderHits,
  findPersonHits,
  findStoreHits,
} from "./search.sql.ts";

export async function search({ db, session }: Ctx, text: string): Promise<SearchHits> {
  const meaning = meaningOf(text);
  const group = <Hit>(permission: string, find: () => Promise<Hit[]>) =>
    mayDo(session, permission) ? find() : [];
  const [orders, people, cabinets, stores, accounts] = await Promise.all([
    group("order:read", () => findOrderHits(db, session, meaning)),
    group("end-user:read", () => findPersonHits(db, session, meaning)),
    group("cabinet:read", () => findCabinetHits(db, session, meaning)),
    group("store:read", () => findStoreHits(db, session, meaning)),
    group("operator:read", () => findAccountHits(db, session, meaning)),
  ]);
  return {
    orders: orders.map((order) => ({ ...order, recipient: masked(order.recipient) })),
    people: people.map((person) => masked(person)),
    cabinets,
    stores,
    accounts,
  };
}

const masked = <Person extends { phone: string }>(person: Person): Person => ({
  ...person,
  phone: maskPhone(person.phone),
});
