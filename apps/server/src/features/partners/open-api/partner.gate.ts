// Gatekeeper of the open API: identifies and authenticates signed requests, and records each call.
import type { OpenRefusal } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import { shareOfStranger } from "../../../platform/db/admission.rules.ts";
import type { Database } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import type {
  PartnerAnswer,
  PartnerGatekeeper,
  PartnerProof,
  PartnerRequest,
  PartnerVisit,
} from "../../../platform/http/http-partner.ts";
import { maskedBody, maskedText } from "../../../platform/http/masked-body.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { firstFailure, readClaim } from "./partner-checks.gate.ts";
import * as repo from "./partner-gate.sql.ts";

/** Sealing context: binds a sealed secret to its row. */
export function keyOwner(key: { tenantId: number; appId: number; kid: string }): string {
  return `open-app-key:${key.tenantId}:${key.appId}:${key.kid}`;
}

export function sealOpenKey(
  vault: Vault,
  key: { tenantId: number; appId: number; kid: string },
  secret: string,
): Buffer {
  return vault.seal(secret, keyOwner(key));
}

/** A malformed header may still name its application, for the call record. */
const APP_IN_HEADER = /\bapp=(app_[0-9a-z]{16})\b/;
const KID_IN_HEADER = /\bkid=([0-9a-z-]{4,32})\b/;
/** Maximum length of a recorded URL. */
const MOST_TARGET = 2_000;
const TOO_MANY = 429;
/** Looks the key up again after a slow body, so that a revocation takes effect within a second. */
const STALE_MS = 500;

type CallingApp = Awaited<ReturnType<typeof repo.findCallingApp>>;
type FindApp = (claim: {
  code: string;
  kid: string;
  address: string | null;
}) => Promise<CallingApp>;

export function createPartnerGatekeeper(database: Database): PartnerGatekeeper {
  const find = sharedLookUp(database);
  return { receive: (request) => receive(database, find, request) };
}

/** Requests of one moment share a look-up: a partner's burst waits in no queue of strangers, and a forger's costs one. */
function sharedLookUp(all: Database): FindApp {
  const running = new Map<string, Promise<CallingApp>>();
  return ({ code, kid, address }) => {
    const key = `${code} ${kid} ${address}`;
    const known = running.get(key);
    if (known) return known;
    // A stranger who names an application uses no share of its own calls.
    const database = all.for({ share: shareOfStranger(address ?? "") });
    const app = repo.findCallingApp(database, { code, kid, address });
    running.set(key, app);
    const end = () => running.delete(key);
    app.then(end, end);
    return app;
  };
}

async function receive(
  all: Database,
  findApp: FindApp,
  request: PartnerRequest,
): Promise<PartnerVisit> {
  const authorization = request.headers?.authorization ?? "";
  const code = APP_IN_HEADER.exec(authorization)?.[1] ?? null;
  const kid = KID_IN_HEADER.exec(authorization)?.[1] ?? "";
  const { address } = request;
  const find = () => (code ? findApp({ code, kid, address }) : null);
  let app = await find();
  const foundAt = performance.now();
  // Nothing is authenticated before the body has been read to its end.
  let refusal: OpenRefusal | null = "UNREAD";
  let body: Buffer = Buffer.alloc(0);
  let text: string | null = null;

  async function prove(raw: Buffer): Promise<PartnerProof> {
    body = raw;
    if (performance.now() - foundAt > STALE_MS) app = await find();
    const { method, target } = request;
    const read = request.headers && readClaim(request.headers, { method, target, body });
    text = read?.text ?? null;
    refusal = firstFailure({
      claim: read?.claim ?? null,
      now: Math.floor(Date.now() / 1000),
      app: app || null,
      isFromAllowedNetwork: app ? app.isFromAllowedNetwork : null,
      secret: app ? secretOf(all.vault, app, kid) : null,
      text,
    });
    if (refusal || !app || !read) refuse("PARTNER_UNPROVEN");
    const { nonce } = read.claim;
    const partner = { ...app, scopes: new Set(app.scopes) };
    const { tenantId: tenant, appId } = app;
    const share = { load: "critical", tenant, account: `app ${appId}`, isBounded: true } as const;
    return all.for({ share }).transaction(partner, async (db) => {
      if (!(await repo.takeNonce(db, partner, nonce))) {
        refusal = "REPLAY";
        refuse("PARTNER_UNPROVEN");
      }
      const [quota] = await Promise.all([
        repo.countRequest(db, partner),
        repo.noteUse(db, partner, kid),
      ]);
      return { partner, quota };
    });
  }

  async function record({ status, body: answer, ms, subject }: PartnerAnswer): Promise<void> {
    if (!app) return;
    const owner = app;
    const { tenantId, appId } = owner;
    const reply = readReply(answer);
    const { answered = [], orderId, cabinetId, thirdPartyNo } = subject;
    // The server's own work: a busy application's calls are recorded all the same.
    await all.transaction({ tenantId }, async (db) => {
      const isRefused = refusal !== null || status === TOO_MANY;
      if (isRefused && !(await repo.mayRecordRefused(db, owner))) return;
      await repo.insertOpenCall(db, {
        ...{ tenantId, appId, kid, refusal, ms, status, address },
        call: `${request.spec.method} ${request.spec.path}`,
        method: request.method,
        target: maskedText(request.target).slice(0, MOST_TARGET),
        result: reply.errCode ?? "OK",
        requestId: request.requestId,
        idempotencyKey: maskedText(request.headers?.idempotencyKey ?? "") || null,
        signedText: text && maskedLines(text),
        requestBody: maskedBody(body),
        responseBody: maskedBody(answer),
        // An idempotent repeat does not load the order: its id comes from the stored reply.
        orderId: orderId ?? reply.orderId ?? null,
        cabinetId: cabinetId ?? null,
        thirdPartyNo: thirdPartyNo ?? reply.thirdPartyNo ?? null,
      });
      if (answered.length > 0 && status === 200) await repo.noteNotified(db, owner, answered);
    });
  }

  return { prove, record };
}

/** Lines of the string to sign that may contain a phone: the URL and the idempotency key. */
const WRITTEN_LINES = [3, 7];

function maskedLines(text: string): string {
  const lines = text.split("\n");
  return lines.map((line, at) => (WRITTEN_LINES.includes(at) ? maskedText(line) : line)).join("\n");
}

/** Null if no key is in force. */
function secretOf(vault: Vault, app: repo.CallingApp, kid: string): string | null {
  const { key, tenantId, appId } = app;
  return key?.isInForce && key.sealedSecret
    ? vault.open(key.sealedSecret, keyOwner({ tenantId, appId, kid }))
    : null;
}

interface ReplyFacts {
  errCode?: string;
  orderId?: number;
  thirdPartyNo?: string;
}

/** Facts for the call record, read from the reply. */
function readReply(answer: string): ReplyFacts {
  if (answer === "") return {};
  const { errCode, data } = JSON.parse(answer);
  const { thirdPartyNo, orderId, id } = (data ?? {}) as ReplyFacts & { id?: unknown };
  const ofOrder = thirdPartyNo !== undefined && typeof id === "number" ? id : orderId;
  return {
    ...(errCode !== undefined && { errCode }),
    ...(ofOrder !== undefined && { orderId: ofOrder }),
    ...(thirdPartyNo !== undefined && { thirdPartyNo }),
  };
}
