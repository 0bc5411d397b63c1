// 消息推送: the webhook that WeChat verifies once and then calls about people's actions on messages.
import { createHash } from "node:crypto";
import {
  isSealedMode,
  PUSH_PATH,
} from "@cabinet/contract/messaging/mini-program/mini-program.rules.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { shareOfStranger } from "../../../platform/db/admission.rules.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { insertPush, writePushSeen, writePushTrouble } from "./mini-program-push.sql.ts";
import { findSetting, type SettingRow } from "./mini-program-setting.sql.ts";
import { pushKeySealedFor, pushTokenSealedFor } from "./mini-programs.cache.ts";
import {
  type PushKeys,
  type PushQuery,
  PushRefusal,
  readPush,
  requireSigned,
} from "./push-message.format.ts";

/** Rate limit per address: the pushes of all tenants come from WeChat's few addresses. */
const PUSHES_PER_MINUTE = 6_000;
const MAX_BYTES = 256 * 1024;

export interface PushParts {
  database: Database;
  /** Handler of a message; runs in the transaction that deduplicates the push. */
  take(
    db: Db,
    from: { tenantId: number; appId: string; openid: string },
    message: object,
  ): Promise<void>;
}

interface PushRequest {
  Params: { tenantId: string };
  Querystring: PushQuery;
  Body: string;
}

export function addMiniProgramPushRoute(app: FastifyInstance, parts: PushParts): void {
  const path = PUSH_PATH.replace("{tenantId}", ":tenantId");
  const config = { rateLimit: { max: PUSHES_PER_MINUTE, timeWindow: 60_000 } };
  app.register(async (scope) => {
    // Signature and encryption cover the raw body, whatever its content type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: MAX_BYTES }, (_, body, done) =>
      done(null, body),
    );
    scope.get<PushRequest>(path, { config }, (request, reply) =>
      answer(request, reply, parts, async (setting, keys) => {
        requireSigned(keys.token, request.query, null, Date.now());
        await parts.database.transaction(setting, (db) => writePushSeen(db, setting, true));
        return String(request.query.echostr ?? "");
      }),
    );
    scope.post<PushRequest>(path, { config }, (request, reply) =>
      answer(request, reply, parts, async (setting, keys) => {
        const { text, message } = readPush(keys, request.query, request.body ?? "", Date.now());
        await parts.database.transaction(setting, (db) => store(db, parts, setting, text, message));
        return "success";
      }),
    );
  });
}

async function answer(
  request: FastifyRequest<PushRequest>,
  reply: FastifyReply,
  { database }: PushParts,
  take: (setting: SettingRow, keys: PushKeys) => Promise<string>,
) {
  reply.type("text/plain; charset=utf-8");
  const unproven = database.for({ share: shareOfStranger(request.ip) });
  const setting = await settingOf(unproven, request.params.tenantId);
  const keys = setting && keysOf(database.vault, setting);
  // A tenant that is unknown or has pushes off gets the same answer as a wrong signature.
  if (!keys) return reply.code(401).send("fail");
  try {
    return reply.send(await take(setting, keys));
  } catch (error) {
    if (!(error instanceof PushRefusal)) throw error;
    const { tenantId } = setting;
    request.log.warn({ tenantId, reason: error.message }, "push not taken");
    await unproven.transaction(setting, (db) => writePushTrouble(db, setting, error.message));
    return reply.code(401).send("fail");
  }
}

async function settingOf(database: Database, id: string): Promise<SettingRow | null> {
  if (!/^[1-9]\d{0,8}$/.test(id)) return null;
  const tenantId = Number(id);
  return database.read({ tenantId }, (db) => findSetting(db, tenantId));
}

function keysOf(vault: Vault, setting: SettingRow): PushKeys | null {
  const { tenantId, appId, pushMode, sealedPushToken, sealedPushKey } = setting;
  if (pushMode === "OFF" || !sealedPushToken) return null;
  const key =
    isSealedMode(pushMode) && sealedPushKey
      ? vault.open(sealedPushKey, pushKeySealedFor(tenantId))
      : null;
  return { appId, token: vault.open(sealedPushToken, pushTokenSealedFor(tenantId)), key };
}

async function store(
  db: Db,
  { take }: PushParts,
  setting: SettingRow,
  text: string,
  message: object,
): Promise<void> {
  const { tenantId, appId } = setting;
  const field = (name: string) => {
    const value = (message as Record<string, unknown>)[name];
    return typeof value === "string" ? value : "";
  };
  const digest = createHash("sha256").update(`${appId}\n${text}`).digest();
  const event = (field("Event") || field("MsgType")).slice(0, 64);
  await writePushSeen(db, setting, false);
  if (!(await insertPush(db, { tenantId, digest, appId, event }))) return;
  await take(db, { tenantId, appId, openid: field("FromUserName") }, message);
}
