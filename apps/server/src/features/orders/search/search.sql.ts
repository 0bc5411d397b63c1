// SQL of the search box: each group by an index, or by a scan of a table that stays small.
import { isLive } from "@cabinet/contract/orders/order/order.rules.ts";
import type {
  AccountHit,
  CabinetHit,
  OrderHit,
  PersonHit,
  StoreHit,
} from "@cabinet/contract/orders/search/search.contract.ts";
import { HITS_A_GROUP, type SearchMeaning } from "@cabinet/contract/orders/search/search.rules.ts";
import { ORDER_STATES } from "@cabinet/contract/vocabulary/order.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { beginsWith } from "../../../platform/db/contains.ts";
import type { Db } from "../../../platform/db/db.ts";
import { join, raw, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
import { cabinetKeywordSql, cabinetPredicate } from "../../fleet/cabinet/index.ts";
import { operatorPredicate } from "../../identity/operator/index.ts";
import { connectivitySql } from "../../link/device/index.ts";
import { storePredicate } from "../../organization/store/index.ts";
import { isVisibleOrderSql } from "../order/index.ts";

/** Most people with the same digits whose orders are looked at. */
const PEOPLE = 50;
/** Newest orders of each of them beside the live ones. */
const ORDERS_A_PERSON = 3;

const cabinet = sql`cabinet`;

/** Literals as in the partial indexes on live orders: with a parameter the planner cannot use them. */
const isLiveSql = raw(`ord.state in (${ORDER_STATES.filter(isLive).map((state) => `'${state}'`)})`);

/** Keys of the people whose phone fits, those with the latest visit first; null when the text is no phone. */
function peopleSql(session: Session, meaning: SearchMeaning): Sql | null {
  const { phone, phoneTail } = meaning;
  const fits: Sql[] = [];
  if (phone) fits.push(sql`end_user.phone = ${phone}`);
  if (phoneTail) fits.push(sql`end_user.phone_tail = ${phoneTail}`);
  if (fits.length === 0) return null;
  const each = fits.map(
    (fit) => sql`
      select end_user.tenant_id, end_user.id, end_user.last_seen_at from end_user
      where ${tenantPredicate(session, sql`end_user.tenant_id`)} and end_user.deleted_at is null
        and ${fit}`,
  );
  return sql`
    select found.tenant_id, found.id from (${join(each, " union ")}) found
    order by found.last_seen_at desc nulls last, found.id desc limit ${PEOPLE}`;
}

export function findPersonHits(
  db: Db,
  session: Session,
  meaning: SearchMeaning,
): Promise<PersonHit[]> {
  const people = peopleSql(session, meaning);
  if (!people) return Promise.resolve([]);
  return db.many(sql`
    with person as materialized (${people})
    select end_user.id, tenant.name as tenant_name, end_user.name, end_user.phone
    from person
    join end_user on end_user.tenant_id = person.tenant_id and end_user.id = person.id
    join tenant on tenant.id = end_user.tenant_id
    order by end_user.last_seen_at desc nulls last, end_user.id desc limit ${HITS_A_GROUP}`);
}

/** Orders with this number, third-party number or person; live ones first, then the newest. */
export function findOrderHits(
  db: Db,
  session: Session,
  meaning: SearchMeaning,
): Promise<OrderHit[]> {
  const { orderId, thirdPartyNo } = meaning;
  const people = peopleSql(session, meaning);
  const isVisible = isVisibleOrderSql(session);
  const key = sql`select ord.tenant_id, ord.id from storage_order ord where ${isVisible}`;
  const found = [sql`(${key} and ord.third_party_no = ${thirdPartyNo} limit ${HITS_A_GROUP})`];
  if (orderId) found.push(sql`${key} and ord.id = ${orderId}`);
  if (people) {
    for (const column of [sql`ord.recipient_id`, sql`ord.rider_id`]) {
      const theirs = sql`${key} and ord.tenant_id = person.tenant_id and ${column} = person.id`;
      found.push(sql`
        select theirs.tenant_id, theirs.id from person cross join lateral (
          ${theirs} and ${isLiveSql} order by ord.id desc limit ${HITS_A_GROUP}) theirs`);
      found.push(sql`
        select theirs.tenant_id, theirs.id from (select * from person limit ${HITS_A_GROUP}) person
        cross join lateral (${theirs} order by ord.id desc limit ${ORDERS_A_PERSON}) theirs`);
    }
  }
  return db.many(sql`
    with person as materialized (${people ?? sql`select 0 as tenant_id, 0 as id where false`})
    select ord.id, tenant.name as tenant_name, ord.side, ord.state, ord.created_at,
      cabinet.name as cabinet_name, ord.compartment_no, ord.third_party_no,
      jsonb_build_object('id', recipient.id, 'name', recipient.name, 'phone', recipient.phone)
        as recipient
    from (${join(found, " union ")}) found
    join storage_order ord on ord.tenant_id = found.tenant_id and ord.id = found.id
    left join tenant on tenant.id = ord.tenant_id
    left join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
    left join end_user recipient on recipient.tenant_id = ord.tenant_id
      and recipient.id = ord.recipient_id
    order by (${isLiveSql}) desc, ord.id desc limit ${HITS_A_GROUP}`);
}

/** Rows whose number or name begins with the text come before those that contain it. */
const nearest = (text: string, ...columns: Sql[]) => {
  const begins = columns.map((column) => sql`${column} ilike ${beginsWith(text)}`);
  return sql`(${join(begins, " or ")}) desc`;
};

export function findCabinetHits(
  db: Db,
  session: Session,
  { keyword }: SearchMeaning,
): Promise<CabinetHit[]> {
  return db.many(sql`
    select cabinet.id, tenant.name as tenant_name, cabinet.sn, cabinet.name,
      store.name as store_name, ${connectivitySql(cabinet)} as connectivity, cabinet.lifecycle
    from cabinet
    join tenant on tenant.id = cabinet.tenant_id
    left join store on store.tenant_id = cabinet.tenant_id and store.id = cabinet.store_id
    where ${cabinetPredicate(session, cabinet)} and ${cabinetKeywordSql(cabinet, keyword)}
    order by ${nearest(keyword, sql`cabinet.sn`, sql`cabinet.name`)},
      cabinet.lifecycle = 'RETIRED', cabinet.name, cabinet.id limit ${HITS_A_GROUP}`);
}

export function findStoreHits(
  db: Db,
  session: Session,
  { keyword }: SearchMeaning,
): Promise<StoreHit[]> {
  return db.many(sql`
    select store.id, tenant.name as tenant_name, store.name, store.address
    from store join tenant on tenant.id = store.tenant_id
    where ${storePredicate(session, sql`store.tenant_id`, sql`store.id`)}
      and ${textSql(keyword, sql`store.name`, sql`store.code`)}
    order by ${nearest(keyword, sql`store.name`, sql`store.code`)}, store.name, store.id
    limit ${HITS_A_GROUP}`);
}

export function findAccountHits(
  db: Db,
  session: Session,
  { keyword }: SearchMeaning,
): Promise<AccountHit[]> {
  return db.many(sql`
    select operator.id, tenant.name as tenant_name, operator.username, operator.display_name,
      operator.user_type
    from operator join tenant on tenant.id = operator.tenant_id
    where ${operatorPredicate(session)} and tenant.state <> 'DELETED'
      and ${textSql(keyword, sql`operator.username`, sql`operator.display_name`)}
    order by ${nearest(keyword, sql`operator.username`, sql`operator.display_name`)},
      operator.username limit ${HITS_A_GROUP}`);
}
