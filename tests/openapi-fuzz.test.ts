// Fuzz from the API document: every answer is one that the document describes, and none is a 5xx.
// 5,000 requests in a deep run; a failure names the SEED that repeats it.
import { randomUUID } from "node:crypto";
import { contracts } from "@cabinet/contract/contracts.ts";
import {
  CALLERS,
  type Caller,
  type EndpointSpec,
  urlPath,
} from "@cabinet/contract/kit/endpoint.ts";
import { authorize, newNonce, type SignedRequest } from "@cabinet/open-api-client";
import { expect, it } from "vitest";
import { seededRandom } from "../apps/simulator/src/world.ts";
import type { CallName, CallRow, Ids } from "./support/call-row.ts";
import { callRows } from "./support/call-rows.ts";
import { amount } from "./support/deep.ts";
import { apiDocument, departureFrom, type Operation } from "./support/document-check.ts";
import { FUZZ_KINDS, fuzzFields, fuzzInput } from "./support/fuzz-input.ts";
import { insertMiniProgramSetting, MiniProgramStandIn } from "./support/mini-programs.ts";
import { type OpenCaller, openCallerOf } from "./support/open-apps.ts";
import { makeWorld } from "./support/tenant-world.ts";
import {
  bodyOf,
  type CallInput,
  credentialsOf,
  formOf,
  openTestServer,
  useOpened,
} from "./support/test-server.ts";

const REQUESTS = amount("FUZZ_REQUESTS", { sample: 1_500, deep: 5_000 });
const SEED = Number(process.env.SEED ?? 20_261_122);
const HOST = "cabinet.example.cn";

const testServer = useOpened(async () => {
  const wechat = await new MiniProgramStandIn().open();
  const opened = await openTestServer({ wechatUrl: wechat.origin });
  const close = async () => {
    await opened.close();
    await wechat.close();
  };
  return { ...opened, close };
});
const random = seededRandom(SEED);
const choose = <Item>(items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

interface Target {
  operation: Operation & { "x-caller": Caller };
  method: string;
  path: string;
  bodyForm: EndpointSpec["bodyForm"];
  goodInput: (ids: Ids) => CallInput;
  fields: ReturnType<typeof fuzzFields>;
}

const specs = new Map<string, [CallName, EndpointSpec]>(
  Object.entries(contracts).flatMap(([noun, contract]) =>
    Object.entries(contract as Record<string, EndpointSpec>).map(
      ([call, spec]): [string, [CallName, EndpointSpec]] => [
        `${spec.method.toLowerCase()} ${urlPath(spec)}`,
        [`${noun}.${call}` as CallName, spec],
      ],
    ),
  ),
);

const targets = Object.entries(apiDocument().paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): Target => {
    const [name, spec] = specs.get(`${method} ${path}`) ?? [];
    return {
      ...{ operation: operation as Target["operation"], method: method.toUpperCase(), path },
      bodyForm: spec?.bodyForm,
      // The download by cabinets has no call in the contract.
      goodInput: name
        ? (callRows[name] as CallRow).input
        : () => ({ params: { id: randomUUID() } }),
      fields: fuzzFields(operation),
    };
  }),
);

/** Everybody who may call, with the credentials of one world. */
interface Callers {
  headers: Record<Exclude<Caller, "partner">, Record<string, string>[]>;
  app: OpenCaller;
}

async function makePlace(): Promise<{ ids: Ids; app: OpenCaller }> {
  const { id, people } = await testServer.makeTenant();
  await insertMiniProgramSetting(testServer, id);
  const { ids } = await makeWorld(testServer, id, people[2]);
  return { ids, app: await openCallerOf(testServer, ids) };
}

async function signInAll({ ids, app }: { ids: Ids; app: OpenCaller }): Promise<Callers> {
  const platform = (await testServer.makeTenant(1)).people[0];
  const { people } = await testServer.makeTenant(ids.tenantId);
  const rider = await testServer.makeAppPerson(ids.tenantId, ids.endUserId).catch(() => null);
  const staff = [platform, platform, platform, people[1], people[2]].map(credentialsOf);
  return {
    app,
    headers: { console: staff, app: rider ? [credentialsOf(rider)] : [{}], device: [{}] },
  };
}

/** Mostly the caller that the operation is for; else another one, or a stranger. */
function chooseCaller({ operation }: Target): Caller | "stranger" {
  return random() < 0.85 ? operation["x-caller"] : choose([...CALLERS, "stranger"] as const);
}

function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

function asTexts(fields: object): object {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
}

/** As the client of the call's form writes it; a few are cut off, or of another content type. */
async function payloadOf({ bodyForm = "json" }: Target, input: CallInput) {
  const body = bodyForm === "json" ? input.body : input.body && asTexts(input.body);
  const written = await bodyOf({ bodyForm }, { ...input, ...(body && { body }) });
  const { type = "", body: whole = "" } = written;
  const isCut = whole.length > 2 && random() < 0.03;
  return {
    body: isCut ? whole.slice(0, whole.length / 2) : whole,
    contentType: random() < 0.03 ? choose(["", "text/plain", "application/xml"]) : type,
  };
}

async function send(target: Target, input: CallInput, callers: Callers, round: number) {
  const params = { ...input.params } as Record<string, unknown>;
  const path = target.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(textOf(params[name] ?? "")),
  );
  const search = formOf(asTexts(input.query ?? {}));
  const url = search ? `${path}?${search}` : path;
  const { body, contentType } = await payloadOf(target, input);
  const idempotencyKey =
    random() < 0.05 ? choose(["", "a b", "k".repeat(129), "twice"]) : randomUUID();
  const pressedAt = random() < 0.05 ? choose(["", "soon", "1", String(Date.now())]) : null;
  const { method } = target;
  const request = { method, host: HOST, target: url, contentType, idempotencyKey, body };
  const response = await testServer.app.inject({
    ...{ method: method as "GET", url },
    headers: {
      host: HOST,
      ...credentials(chooseCaller(target), request, callers, round),
      ...(contentType && { "content-type": contentType }),
      ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
      ...(pressedAt !== null && { "x-pressed-at": pressedAt }),
      ...input.headers,
    },
    ...(body.length > 0 && { payload: body }),
  });
  const isJson = response.headers["content-type"]?.includes("json");
  const payload = isJson ? response.payload : response.rawPayload;
  return { url, status: response.statusCode, payload };
}

function credentials(
  caller: Caller | "stranger",
  request: SignedRequest,
  { app, headers }: Callers,
  round: number,
): Record<string, string> {
  if (caller === "partner") {
    const { code, kid, secret } = app;
    const claim = { app: code, kid, ts: Math.floor(Date.now() / 1000), nonce: newNonce() };
    return { authorization: authorize(request, claim, secret) };
  }
  const own = caller === "stranger" ? { "auth-token": "none" } : choose(headers[caller]);
  // A network of its own for each round: the limits of public calls begin anew.
  return { "x-forwarded-for": `203.0.113.${round % 250}`, ...own };
}

/** One request for each operation, in random order. */
function shuffledTargets(): Target[] {
  const keyed = targets.map((target) => ({ target, at: random() }));
  return keyed.sort((one, other) => one.at - other.at).map(({ target }) => target);
}

it(
  `fuzz: ${REQUESTS} requests get answers of the document (SEED=${SEED})`,
  async () => {
    const statuses = new Map<string, number>();
    const succeeded = new Set<string>();
    const wrong: string[] = [];
    let sent = 0;
    for (let round = 0; sent < REQUESTS; round++) {
      // The platform owns files of each world.
      await testServer.makeTenant(1);
      const place = await makePlace();
      let callers = await signInAll(place);
      for (const target of shuffledTargets().slice(0, REQUESTS - sent)) {
        // Some requests end sessions or lock people out.
        if (sent % 25 === 0) callers = await signInAll(place);
        const kind = choose(["valid", ...FUZZ_KINDS] as const);
        const input = fuzzInput(kind, target.goodInput(place.ids), target.fields, choose);
        const { url, status, payload } = await send(target, input, callers, round);
        sent++;
        const departed = departureFrom(target.operation, status, payload);
        if (departed || status >= 500) {
          const shown = `${kind} ${target.method} ${url} ${JSON.stringify(input.body ?? "")}`;
          wrong.push(`${departed ?? status}: ${shown.slice(0, 500)}`);
        }
        const isDone = typeof payload !== "string" || JSON.parse(payload).code === 0;
        if (isDone) succeeded.add(target.operation.operationId);
        const outcome = isDone ? "success" : String(status);
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
      }
    }
    const counts = [...statuses].sort().map(([outcome, count]) => `${outcome} ${count}`);
    process.stdout.write(
      `openapi fuzz SEED=${SEED}: ${sent} requests, ${succeeded.size} of ${targets.length} calls ` +
        `succeeded; ${counts.join(", ")}\n`,
    );
    expect(wrong).toEqual([]);
    expect(succeeded.size).toBeGreaterThan(targets.length / 3);
  },
  180_000 + REQUESTS * 60,
);
