// Authentication of signed requests in SQL: applications by code, used nonces, call records.
import type { OpenRefusal } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import type { Feature } from "@cabinet/contract/vocabulary/feature.rules.ts";
import type { Partner } from "../../../platform/context.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import type { RateQuota } from "../../../platform/http/http-partner.ts";
import { countAsk, countAsked } from "../../../platform/limits/rate-limit.sql.ts";

export interface CallingApp {
  tenantId: number;
  appId: number;
  code: string;
  name: string;
  scopes: string[];
  ratePerMinute: number;
  reserveSharePercent: number;
  isSettling: boolean;
  isDisabled: boolean;
  isTenantOpen: boolean;
  offFeatures: Feature[];
  isFromAllowedNetwork: boolean;
  key: { sealedSecret: Buffer | null; isInForce: boolean } | null;
}

type AppRow = Omit<CallingApp, "key"> & {
  hasKey: boolean;
  isInForce: boolean;
  sealedSecret: Buffer | null;
};

async function findApp(
  db: Db,
  which: Sql,
  { kid, address }: { kid: string; address: string | null },
): Promise<CallingApp | null> {
  const row = await db.maybe<AppRow>(sql`
    select app.tenant_id, app.id as app_id, app.code, app.name, app.scopes, app.rate_per_minute,
      app.reserve_share_percent, app.is_settling, app.disabled_at is not null as is_disabled,
      tenant_is_open(tenant) as is_tenant_open,
      tenant_off_features(app.tenant_id) as off_features,
      not exists (select from open_app_network app_network
        where app_network.tenant_id = app.tenant_id and app_network.app_id = app.id)
      or exists (select from open_app_network app_network
        where app_network.tenant_id = app.tenant_id and app_network.app_id = app.id
          and app_network.network >>= ${address}::inet) as is_from_allowed_network,
      app_key.kid is not null as has_key,
      app_key.sealed_secret is not null and (app_key.expires_at is null
        or app_key.expires_at > now())
        as is_in_force,
      app_key.sealed_secret
    from open_app app join tenant on tenant.id = app.tenant_id
    left join open_app_key app_key on app_key.tenant_id = app.tenant_id and app_key.app_id = app.id
      and app_key.kid = ${kid}
    where ${which}`);
  if (!row) return null;
  const { hasKey, isInForce, sealedSecret, ...app } = row;
  return { ...app, key: hasKey ? { sealedSecret, isInForce } : null };
}

/** Looks the application up across tenants: the tenant is unknown before authentication. */
export function findCallingApp(
  database: Database,
  { code, ...from }: { code: string; kid: string; address: string | null },
): Promise<CallingApp | null> {
  return database.read("platform", (db) => findApp(db, sql`app.code = ${code}`, from));
}

/** Same lookup for the signature debugger, within the tenant that owns the application. */
export function findAppForCall(db: Db, owner: Owner, kid: string): Promise<CallingApp | null> {
  const { tenantId, appId } = owner;
  return findApp(db, sql`app.tenant_id = ${tenantId} and app.id = ${appId}`, {
    kid,
    address: null,
  });
}

type Owner = Pick<Partner, "tenantId" | "appId">;

/** Stores the nonce of an authenticated request; false if it was used before. */
export async function takeNonce(
  db: Db,
  { tenantId, appId }: Owner,
  nonce: string,
): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into open_nonce (tenant_id, app_id, nonce) values (${tenantId}, ${appId}, ${nonce})
    on conflict do nothing`);
  return inserted === 1;
}

/** Minute precision, so that most calls cause no write. */
export async function noteUse(db: Db, { tenantId, appId }: Owner, kid: string): Promise<void> {
  await db.run(sql`
    update open_app_key set last_used_at = now()
    where tenant_id = ${tenantId} and app_id = ${appId} and kid = ${kid}
      and (last_used_at is null or last_used_at < now() - interval '1 minute')`);
}

/** Counts one request for the application's rate limit. */
export async function countRequest(
  db: Db,
  { tenantId, appId, ratePerMinute: limit }: Partner,
): Promise<RateQuota> {
  const { asked, rest } = await countAsked(db, `open-app:${tenantId}:${appId}`, 60);
  return { limit, remaining: limit - asked, resetSeconds: rest };
}

/** Cap of refused calls recorded per minute and application, against flooding by strangers. */
const REFUSED_PER_MINUTE = 60;

export async function mayRecordRefused(db: Db, { tenantId, appId }: Owner): Promise<boolean> {
  const limit = { max: REFUSED_PER_MINUTE, seconds: 60 };
  return (await countAsk(db, `open-refused:${tenantId}:${appId}`, [limit])) === 0;
}

export interface NewOpenCall extends Owner {
  kid: string;
  call: string;
  method: string;
  target: string;
  address: string | null;
  status: number;
  result: string;
  refusal: OpenRefusal | null;
  ms: number;
  requestId: string;
  idempotencyKey: string | null;
  signedText: string | null;
  requestBody: string | null;
  responseBody: string | null;
  orderId: number | null;
  cabinetId: number | null;
  thirdPartyNo: string | null;
}

export async function insertOpenCall(db: Db, call: NewOpenCall): Promise<void> {
  const { tenantId, orderId } = call;
  await db.run(sql`
    insert into open_call (tenant_id, app_id, kid, call, method, target, address, status, result,
      refusal, ms, request_id, idempotency_key, signed_text, request_body, response_body, order_id,
      cabinet_id, third_party_no)
    values (${tenantId}, ${call.appId}, ${call.kid}, ${call.call}, ${call.method}, ${call.target},
      ${call.address}, ${call.status}, ${call.result}, ${call.refusal}, ${call.ms},
      ${call.requestId}, ${call.idempotencyKey}, ${call.signedText}, ${call.requestBody},
      ${call.responseBody}, ${orderId},
      coalesce(${call.cabinetId}, (select ord.cabinet_id from storage_order ord
        where ord.tenant_id = ${tenantId} and ord.id = ${orderId})),
      ${call.thirdPartyNo})`);
}

/** Stores the order states that an answer just gave to the third party. */
export async function noteNotified(
  db: Db,
  { tenantId, appId }: Owner,
  answered: readonly { orderId: number; state: string }[],
): Promise<void> {
  const orderIds = answered.map(({ orderId }) => orderId);
  const states = answered.map(({ state }) => state);
  await db.run(sql`
    update business_order set told_state = input.state, told_at = now()
    from unnest(${orderIds}::bigint[], ${states}::text[]) input (order_id, state)
    where business_order.tenant_id = ${tenantId} and business_order.app_id = ${appId} and business_order.order_id = input.order_id`);
}
