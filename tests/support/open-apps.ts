// Third-party applications for tests: their rows, and signed calls over inject.
import { randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { type EndpointSpec, type Reply, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { OPEN_SCOPES } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import { authorize, type Claim, newNonce, type SignedRequest } from "@cabinet/open-api-client";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { CallInput, CallResult, TestServer } from "./test-server.ts";

export interface OpenCaller {
  tenantId: number;
  appId: number;
  code: string;
  kid: string;
  secret: string;
}

interface AppFixture {
  tenantId: number;
  name?: string;
  scopes?: readonly string[];
  networks?: string[];
  ratePerMinute?: number;
  /** All compartments unless given. */
  reserveSharePercent?: number;
  isSettling?: boolean;
  isDisabled?: boolean;
}

/** Inserts an application with one key. */
async function insertOpenApp(
  testServer: TestServer,
  db: Db,
  fixture: AppFixture,
): Promise<OpenCaller> {
  const { tenantId, name = `应用 ${randomUUID()}`, scopes = OPEN_SCOPES } = fixture;
  const code = `app_${randomBytes(8).toString("hex")}`;
  const disabled = fixture.isDisabled ? "合作结束" : null;
  const { appId } = await db.one<{ appId: number }>(sql`
    insert into open_app (tenant_id, code, name, scopes, rate_per_minute, reserve_share_percent,
      is_settling, edited_by, disabled_at, disabled_reason)
    values (${tenantId}, ${code}, ${name.slice(0, 60)}, ${scopes}::text[],
      ${fixture.ratePerMinute ?? 6000}, ${fixture.reserveSharePercent ?? 100},
      ${fixture.isSettling ?? false}, '李伟',
      case when ${disabled}::text is not null then now() end, ${disabled})
    returning id as app_id`);
  const kid = "k261122-tests";
  const secret = `cabsk_${randomBytes(32).toString("base64url")}`;
  const sealed = testServer.vault.seal(secret, `open-app-key:${tenantId}:${appId}:${kid}`);
  await db.run(sql`
    insert into open_app_key (tenant_id, app_id, kid, sealed_secret, issued_by)
    values (${tenantId}, ${appId}, ${kid}, ${sealed}, '李伟')`);
  await db.run(sql`
    insert into open_app_network (tenant_id, app_id, network)
    select ${tenantId}, ${appId}, unnest(${fixture.networks ?? []}::cidr[])`);
  return { tenantId, appId, code, kid, secret };
}

export function makeOpenApp(testServer: TestServer, fixture: AppFixture): Promise<OpenCaller> {
  return testServer.database.transaction("platform", (db) =>
    insertOpenApp(testServer, db, fixture),
  );
}

/** Inserts an application that placed the order, with one call, and a disabled application. */
export async function insertOpenApps(
  testServer: TestServer,
  db: Db,
  at: { tenantId: number; orderId: number; cabinetId: number; mark: string },
): Promise<{ openAppId: number; disabledOpenAppId: number; openCallId: number }> {
  const { tenantId, orderId, cabinetId, mark } = at;
  const first = await insertOpenApp(testServer, db, {
    ...{ tenantId, name: `应用 ${mark}`, isSettling: true, networks: ["127.0.0.0/8"] },
  });
  const second = await insertOpenApp(testServer, db, { tenantId, isDisabled: true });
  await db.run(sql`
    insert into open_nonce (tenant_id, app_id, nonce) values (${tenantId}, ${first.appId}, ${mark})`);
  await db.run(sql`
    insert into business_order (tenant_id, order_id, app_id, third_party_no, told_state, told_at)
    values (${tenantId}, ${orderId}, ${first.appId}, ${`SF-${mark}`}, 'STORED', now())`);
  const { openCallId } = await db.one<{ openCallId: number }>(sql`
    insert into open_call (tenant_id, app_id, kid, call, method, target, address, status, result, ms,
      request_id, order_id, cabinet_id, third_party_no)
    values (${tenantId}, ${first.appId}, ${first.kid}, 'GET /open/v1/order/{id}', 'GET',
      ${`/open/v1/order/${orderId}`}, '203.0.113.9', 200, 'OK', 12, ${mark}, ${orderId},
      ${cabinetId}, ${`SF-${mark}`})
    returning id as open_call_id`);
  return { openAppId: first.appId, disabledOpenAppId: second.appId, openCallId };
}

/** Credentials of the application in a world. */
export async function openCallerOf(
  testServer: TestServer,
  { tenantId, openAppId }: { tenantId: number; openAppId: number },
): Promise<OpenCaller> {
  const row = await testServer.database.read("platform", (db) =>
    db.one<{ code: string; kid: string; sealed: Buffer }>(sql`
      select app.code, app_key.kid, app_key.sealed_secret as sealed from open_app app
      join open_app_key app_key on app_key.tenant_id = app.tenant_id and app_key.app_id = app.id
      where app.tenant_id = ${tenantId} and app.id = ${openAppId}`),
  );
  const { code, kid, sealed } = row;
  const secret = testServer.vault.open(sealed, `open-app-key:${tenantId}:${openAppId}:${kid}`);
  return { tenantId, appId: openAppId, code, kid, secret };
}

export interface Tampering {
  claim?: Partial<Claim>;
  /** Signed instead of the parts that are sent. */
  signed?: Partial<SignedRequest>;
  authorization?: string;
  /** Sent instead of the JSON body. */
  raw?: string | Buffer;
  contentType?: string;
  /** Null: sends no key. */
  idempotencyKey?: string | null;
  address?: string;
  /** Runs after the headers are sent and before the body. */
  beforeBody?: () => Promise<unknown>;
}

async function* bodyAfter(body: string | Buffer, before: () => Promise<unknown>) {
  await before();
  yield body;
}

export type OpenResult<Data> = CallResult<Data> & {
  errCode?: string;
  scope?: string;
  requestId?: string;
  headers: Record<string, unknown>;
};

const HOST = "cabinet.example.cn";

/** Calls the open API as a third party: signed, unless `tampering` changes it. */
export async function callOpen<Spec extends EndpointSpec>(
  testServer: TestServer,
  as: OpenCaller | null,
  spec: Spec,
  input: CallInput = {},
  tampering: Tampering = {},
): Promise<OpenResult<Reply<Spec>>> {
  const params = input.params as Record<string, unknown> | undefined;
  const path = urlPath(spec).replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name])),
  );
  const query = new URLSearchParams(
    Object.entries(input.query ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const body = tampering.raw ?? (input.body ? JSON.stringify(input.body) : "");
  const isWrite = spec.method !== "GET";
  const contentType = tampering.contentType ?? (input.body ? "application/json" : "");
  const idempotencyKey =
    tampering.idempotencyKey === null
      ? ""
      : (tampering.idempotencyKey ?? (isWrite ? randomUUID() : ""));
  const request: SignedRequest = {
    ...{ method: spec.method, host: HOST, target: query ? `${path}?${query}` : path },
    ...{ contentType, idempotencyKey, body },
  };
  const claim = {
    ...{ app: as?.code ?? "", kid: as?.kid ?? "", ts: Math.floor(Date.now() / 1000) },
    nonce: newNonce(),
    ...tampering.claim,
  };
  const authorization =
    tampering.authorization ??
    authorize({ ...request, ...tampering.signed }, claim, as?.secret ?? "cabsk_none");
  const response = await testServer.app.inject({
    method: spec.method,
    url: request.target,
    headers: {
      host: HOST,
      ...(as && { authorization }),
      ...(contentType && { "content-type": contentType }),
      ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
      ...(tampering.address && { "x-forwarded-for": tampering.address }),
      ...input.headers,
    },
    ...(body.length > 0 && {
      payload: tampering.beforeBody ? Readable.from(bodyAfter(body, tampering.beforeBody)) : body,
    }),
  });
  return { status: response.statusCode, headers: response.headers, ...response.json() };
}
