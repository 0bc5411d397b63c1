// Server under test: the real app over inject, on its own database, with signed-in people.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { PANEL_SOCKET } from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.rules.ts";
import { type EndpointSpec, type Reply, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll } from "vitest";
import { buildApi } from "../../apps/server/src/api.ts";
import {
  bindRole,
  ensureDefaultRoles,
} from "../../apps/server/src/features/identity/access/index.ts";
import { insertOperator } from "../../apps/server/src/features/identity/auth/index.ts";
import { ensureTenant } from "../../apps/server/src/features/identity/tenancy/index.ts";
import { measures } from "../../apps/server/src/measures.ts";
import { makeToken } from "../../apps/server/src/platform/access-token.ts";
import { type Database, openDatabase } from "../../apps/server/src/platform/db/db.ts";
import { Listener } from "../../apps/server/src/platform/db/notify.ts";
import { Replica } from "../../apps/server/src/platform/db/replica.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { AmapKey, TlsFiles } from "../../apps/server/src/platform/env.ts";
import type { FileStore } from "../../apps/server/src/platform/files/file-store.ts";
import { openFileStore } from "../../apps/server/src/platform/files/files.ts";
import type { ClamdAddress } from "../../apps/server/src/platform/files/virus-scan.ts";
import { LAST_BACKUP_FILE } from "../../apps/server/src/platform/host-metrics.ts";
import { RefusalPace } from "../../apps/server/src/platform/limits/refusal-pace.rules.ts";
import type { Log } from "../../apps/server/src/platform/log.ts";
import { Vault } from "../../apps/server/src/platform/secrets.ts";
import { departure } from "./document-check.ts";
import { exemptFromFactor } from "./factor.ts";
import { insertEndUser } from "./orders.ts";
import { cloneDatabase } from "./postgres.ts";

export interface Person {
  tenantId: number;
  operatorId: number;
  username: string;
  userType: UserType;
  token: string;
}

/** Rider or recipient with a wallet, signed in to the app. */
export interface AppPerson {
  tenantId: number;
  endUserId: number;
  phone: string;
  token: string;
}

export interface CallResult<Data> {
  status: number;
  code: number;
  data: Data;
  errMsg: string;
  /** Code of a refusal. */
  errCode?: string;
}

export interface CallInput {
  params?: object;
  query?: object;
  body?: object;
  /** File part of a multipart request. */
  file?: { name: string; bytes: Uint8Array };
  headers?: Record<string, string>;
  /** Sends no `Idempotency-Key`. By default each call has a new one, as in the console. */
  hasNoKey?: true;
}

export interface TestServer {
  app: FastifyInstance;
  database: Database;
  listener: Listener;
  vault: Vault;
  files: FileStore;
  /** Folder of `files`. */
  dataDir: string;
  url: string;
  /** Makes a tenant with one signed-in account of each userType; a free id unless one is given. */
  makeTenant(id?: number): Promise<{ id: number; people: Record<UserType, Person> }>;
  /** Makes a new app user, or signs in the given one. */
  makeAppPerson(tenantId: number, endUserId?: number): Promise<AppPerson>;
  call<Spec extends EndpointSpec>(
    spec: Spec,
    as: Person | AppPerson | null,
    input?: CallInput,
  ): Promise<CallResult<Reply<Spec>>>;
  close(): Promise<void>;
}

const NO_PACE = { burst: 1e9, perSecond: 1e9 };

let nextTenantId = 100;

export async function openTestServer(
  options: {
    vault?: Vault;
    hasOutsideBroker?: boolean;
    amap?: AmapKey;
    wechatUrl?: string;
    wechatPayUrl?: string;
    allowsLoopbackCallbacks?: boolean;
    trustedProxies?: string[];
    tls?: TlsFiles;
    clamd?: ClamdAddress;
    log?: Log;
    /** Default: refusals do not wait, so that tests may be refused often. */
    refusalPace?: RefusalPace;
    /** Returns the URL that the server uses for its database, whose own URL it is given. */
    through?: (url: string) => Promise<string>;
    /** Returns the URL of a replica of the server's database, whose own URL it is given. */
    replicaOf?: (url: string) => Promise<string>;
  } = {},
): Promise<TestServer> {
  const clone = await cloneDatabase();
  const url = (await options.through?.(clone.url)) ?? clone.url;
  const { log = pino({ level: process.env.TEST_LOG ?? "silent" }) } = options;
  const { vault = new Vault(randomBytes(32)), hasOutsideBroker = false } = options;
  const database = openDatabase(url, { vault });
  const listener = new Listener(url, log);
  await listener.start();
  const replicaUrl = await options.replicaOf?.(clone.url);
  const replica = replicaUrl
    ? new Replica({ url: replicaUrl, primary: database, listener, log })
    : undefined;
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "test-server-"));
  const files = await openFileStore({ dataDir, s3: null });
  const readiness = { isReady: true, checks: {}, warnings: {} };
  const departures = new Set<string>();
  const app = await buildApi({
    log,
    database,
    replica,
    listener,
    files,
    readiness,
    measures: measures.api,
    hasOutsideBroker,
    amap: options.amap ?? null,
    lastBackup: path.join(dataDir, LAST_BACKUP_FILE),
    simulatorSocket: path.join(dataDir, PANEL_SOCKET),
    ...(options.wechatUrl && { wechatUrl: options.wechatUrl }),
    // Nobody listens there.
    wechatPayUrl: options.wechatPayUrl ?? "http://127.0.0.1:9",
    allowsLoopbackCallbacks: options.allowsLoopbackCallbacks ?? false,
    ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
    tls: options.tls ?? null,
    clamd: options.clamd ?? null,
    refusalPace: options.refusalPace ?? new RefusalPace({ address: NO_PACE, account: NO_PACE }),
    onAnswer(...answer) {
      const found = departure(...answer);
      if (found) departures.add(found);
    },
  });
  await app.ready();

  /** Skips ids of tenants that a test created through a call. */
  async function freeTenantId(): Promise<number> {
    for (;;) {
      const id = nextTenantId++;
      const taken = await database.read("platform", (db) =>
        db.maybe(sql`select 1 from tenant where id = ${id}`),
      );
      if (!taken) return id;
    }
  }

  async function makeTenant(asked?: number) {
    const id = asked ?? (await freeTenantId());
    const people = await database.transaction("platform", async (db) => {
      await ensureTenant(db, { id, name: `租户 ${id}` });
      // Tests of the demand itself take the exception back.
      await exemptFromFactor(db, id);
      const roles = await ensureDefaultRoles(db, id);
      const make = async (userType: UserType): Promise<Person> => {
        const username = `user${userType}-of-${id}-${randomBytes(3).toString("hex")}`;
        const operatorId = await insertOperator(db, {
          tenantId: id,
          username,
          displayName: username,
          passwordHash: "none",
          userType,
          mustChangePassword: false,
        });
        if (userType !== 0) await bindRole(db, { tenantId: id, operatorId }, roles[userType]);
        const { token, tokenHash } = makeToken(db.vault, "session");
        await db.run(sql`
          insert into session (token_hash, tenant_id, operator_id, expires_at, has_mac)
          values (${tokenHash}, ${id}, ${operatorId}, now() + interval '8 hours', true)`);
        return { tenantId: id, operatorId, username, userType, token };
      };
      return { 0: await make(0), 1: await make(1), 2: await make(2) };
    });
    return { id, people };
  }

  function makeAppPerson(tenantId: number, known?: number): Promise<AppPerson> {
    return database.transaction("platform", async (db) => {
      const endUserId = known ?? (await insertEndUser(db, tenantId, ""));
      const { phone } = await db.one<{ phone: string }>(sql`
        select phone from end_user where tenant_id = ${tenantId} and id = ${endUserId}`);
      const { token, tokenHash } = makeToken(db.vault, "appSession");
      await db.run(sql`
        insert into app_session (token_hash, tenant_id, end_user_id, expires_at, has_mac)
        values (${tokenHash}, ${tenantId}, ${endUserId}, now() + interval '30 days', true)`);
      return { tenantId, endUserId, phone, token };
    });
  }

  const call: TestServer["call"] = async (spec, as, input = {}) => {
    const params = input.params as Record<string, unknown> | undefined;
    const path = urlPath(spec).replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(params?.[name])),
    );
    const { type, body } = await bodyOf(spec, input);
    const response = await app.inject({
      method: spec.method,
      url: path,
      ...(input.query && { query: formOf(input.query) }),
      headers: {
        ...(as && credentialsOf(as)),
        ...(type && { "content-type": type }),
        ...(spec.once && !input.hasNoKey && { "idempotency-key": randomUUID() }),
        ...input.headers,
      },
      ...(body && { payload: body }),
    });
    const isFile = !response.headers["content-type"]?.includes("json");
    const envelope = isFile ? { code: 0, data: response.rawPayload, errMsg: "" } : response.json();
    return { status: response.statusCode, ...envelope };
  };

  return {
    app,
    database,
    listener,
    vault,
    files,
    dataDir,
    url: clone.url,
    makeTenant,
    makeAppPerson,
    call,
    async close() {
      await app.close();
      await replica?.close();
      await listener.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
      // Every answer of the suite is one that the API document describes.
      if (departures.size > 0)
        throw new Error(`not in the API document:\n${[...departures].join("\n")}`);
    },
  };
}

/** Opens a test server for the file or its `describe`. */
export const useTestServer = (options?: Parameters<typeof openTestServer>[0]): TestServer =>
  useOpened(() => openTestServer(options));

/** Opens before the first test of the file (or its `describe`) and closes after the last. */
export function useOpened<Thing extends { close(): Promise<void> }>(
  open: () => Promise<Thing>,
): Thing {
  const thing = {} as Thing;
  beforeAll(async () => {
    Object.assign(thing, await open());
  });
  afterAll(() => thing.close());
  return thing;
}

export function credentialsOf(as: Person | AppPerson): Record<string, string> {
  return "endUserId" in as
    ? { "app-token": as.token }
    : { "auth-token": as.token, tenantid: String(as.tenantId), "auth-id": "cupboard" };
}

/** Request body in the call's form, and its content type. */
export async function bodyOf(
  spec: Pick<EndpointSpec, "bodyForm">,
  { body, file }: CallInput,
): Promise<{ type?: string; body?: string | Buffer }> {
  if (spec.bodyForm === "multipart") {
    const form = new FormData();
    for (const [name, value] of Object.entries(body ?? {})) form.append(name, String(value));
    if (file) form.append("file", new Blob([Buffer.from(file.bytes)]), file.name);
    const request = new Response(form);
    const type = request.headers.get("content-type") ?? "";
    return { type, body: Buffer.from(await request.arrayBuffer()) };
  }
  if (!body) return {};
  return spec.bodyForm === "form"
    ? { type: "application/x-www-form-urlencoded", body: formOf(body) }
    : { type: "application/json", body: JSON.stringify(body) };
}

export function formOf(fields: object): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  ).toString();
}
