// Stand-in for WeChat's mini-program API, and the rows of a tenant's mini-program.
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  isKeywordValue,
  keywordTypeOf,
} from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import { sealedFor } from "../../apps/server/src/features/messaging/mini-program/mini-programs.cache.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { AppPerson, TestServer } from "./test-server.ts";

export const miniProgramDraft = {
  appId: "wx0123456789abcdef",
  secret: "0123456789abcdef0123456789abcdef",
};

/** Inserts a row into each table of mini-programs. */
export async function insertMiniProgram(
  db: Db,
  { tenantId, endUserId, mark }: { tenantId: number; endUserId: number; mark: string },
): Promise<void> {
  await db.run(sql`
    insert into mini_program_setting (tenant_id, app_id, sealed_secret, edited_by)
    values (${tenantId}, ${miniProgramDraft.appId}, '\\x00', ${mark})
    on conflict (tenant_id) do nothing`);
  await db.run(sql`
    insert into mini_program_user (tenant_id, app_id, openid, end_user_id)
    values (${tenantId}, ${miniProgramDraft.appId}, ${`o-${mark}`}, ${endUserId})`);
  await db.run(sql`
    insert into mini_program_push (tenant_id, digest, app_id, event)
    values (${tenantId}, ${Buffer.from(mark)}, ${miniProgramDraft.appId}, ${mark})`);
}

/** Inserts the setting of the mini-program that the stand-in knows. */
export async function insertMiniProgramSetting(
  testServer: TestServer,
  tenantId: number,
): Promise<void> {
  const { appId, secret } = miniProgramDraft;
  const sealed = testServer.vault.seal(secret, sealedFor(tenantId));
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      insert into mini_program_setting (tenant_id, app_id, sealed_secret, edited_by)
      values (${tenantId}, ${appId}, ${sealed}, '李伟')`),
  );
}

/** Makes an app user who is signed in to the tenant's mini-program. */
export async function bindSubscriber(
  testServer: TestServer,
  tenantId: number,
): Promise<AppPerson & { openid: string }> {
  const person = await testServer.makeAppPerson(tenantId);
  const openid = `o${randomBytes(12).toString("hex")}`;
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      insert into mini_program_user (tenant_id, app_id, openid, end_user_id)
      values (${tenantId}, ${miniProgramDraft.appId}, ${openid}, ${person.endUserId})`),
  );
  return { ...person, openid };
}

interface Phone {
  countryCode: string;
  number: string;
  /** Mini-program that requested the number. */
  appId: string;
}

interface Given {
  touser: string;
  template_id: string;
  page?: string;
  data: Record<string, { value: string }>;
  miniprogram_state?: string;
  lang?: string;
}

export interface SentMessage {
  openid: string;
  templateId: string;
  page: string | undefined;
  data: Record<string, { value: string }>;
  msgId: string;
}

const refusal = (errcode: number, errmsg: string) => ({ errcode, errmsg });

/** Knows one mini-program, whichever tenant it belongs to; its codes work once. */
export class MiniProgramStandIn {
  /** Paths of all requests in order, such as `/sns/jscode2session`. */
  readonly asked: string[] = [];
  /** Answers this to every request of the path while it is set. */
  refusal: { path: string; errcode: number; errmsg: string } | null = null;
  /** Never answers. */
  isSilent = false;
  /** Answers 502 with an HTML page, like a gateway whose backend is down. */
  isDown = false;
  readonly sessionKey = "dGhlIHNlc3Npb24ga2V5IA==";
  origin = "";
  token = "";
  /** Accepted subscribe messages as received. */
  readonly sent: SentMessage[] = [];
  /** Subscribe message templates of the account by id, with title and keywords. */
  readonly templates = new Map<string, { title: string; content: string; isLongTerm?: boolean }>();
  /** Messages of a template that a person still accepts, by `openid/templateId`. */
  readonly consents = new Map<string, number>();
  /** Accepts the message, then drops the connection without an answer. */
  breaksAfterTaking = false;
  readonly #loginCodes = new Map<string, string>();
  readonly #phoneCodes = new Map<string, Phone>();
  readonly #used = new Set<string>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const { path, body, query } = await read(request);
      this.asked.push(path);
      if (this.isSilent) return;
      if (this.isDown) return response.writeHead(502).end("<html>502 Bad Gateway</html>");
      const answer = this.#answer(path, query, body);
      if (this.breaksAfterTaking && path.endsWith("/send")) return request.socket.destroy();
      response.writeHead(200, { "content-type": "text/plain" });
      response.end(JSON.stringify(answer));
    });
  }

  async open(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Code that `wx.login` returns to this user. */
  loginCode(openid: string): string {
    const code = `0${randomBytes(12).toString("hex")}`;
    this.#loginCodes.set(code, openid);
    return code;
  }

  /** Code that `getPhoneNumber` returns to a user who consents. */
  phoneCode(number: string, { countryCode = "86", appId = miniProgramDraft.appId } = {}): string {
    const code = randomBytes(32).toString("hex");
    this.#phoneCodes.set(code, { countryCode, number, appId });
    return code;
  }

  /** Invalidates the access token, as a reset secret or its expiry does. */
  endToken(): void {
    this.token = "";
  }

  #answer(path: string, query: URLSearchParams, body: Record<string, string>): object {
    if (this.refusal?.path === path) return refusal(this.refusal.errcode, this.refusal.errmsg);
    if (path === "/sns/jscode2session") {
      return this.#proves(query.get("appid"), query.get("secret")) ?? this.#session(query);
    }
    if (path === "/cgi-bin/stable_token") {
      if (body.grant_type !== "client_credential") return refusal(40002, "invalid grant_type");
      const wrong = this.#proves(body.appid, body.secret);
      if (wrong) return wrong;
      this.token ||= randomBytes(20).toString("hex");
      return { access_token: this.token, expires_in: 7200 };
    }
    if (!this.token || query.get("access_token") !== this.token) {
      return refusal(40001, "invalid credential, access_token is invalid or not latest");
    }
    if (path === "/wxa/business/getuserphonenumber") return this.#phone(body.code ?? "");
    if (path === "/cgi-bin/message/subscribe/send") return this.#send(body as unknown as Given);
    if (path === "/wxaapi/newtmpl/gettemplate") return this.#listTemplates();
    return refusal(40066, "invalid url");
  }

  #listTemplates(): object {
    const data = [...this.templates].map(([priTmplId, { title, content, isLongTerm }]) => ({
      ...{ priTmplId, title, content, example: content.replace(/\{\{\w+\.DATA\}\}/g, "示例") },
      type: isLongTerm ? 3 : 2,
    }));
    return { ...refusal(0, "ok"), data };
  }

  /** Checks like WeChat: person, template, page, each keyword by its type, remaining consents. */
  #send({ touser, template_id, page, data, miniprogram_state, lang }: Given): object {
    if (!touser?.startsWith("o")) return refusal(40003, "invalid openid");
    const template = this.templates.get(template_id);
    if (!template) return refusal(40037, "invalid template_id");
    if (page?.startsWith("/")) return refusal(41030, "invalid page");
    if (miniprogram_state !== "formal" || lang !== "zh_CN") return refusal(47001, "data format");
    const names = [...template.content.matchAll(/\{\{(\w+)\.DATA\}\}/g)].map(([, name]) => name);
    for (const name of names) {
      const type = keywordTypeOf(name ?? "");
      const value = data?.[name ?? ""]?.value;
      if (!type || value === undefined || !isKeywordValue(type, value)) {
        return refusal(47003, `argument invalid! data.${name}.value invalid`);
      }
    }
    const consent = `${touser}/${template_id}`;
    const left = this.consents.get(consent) ?? 0;
    if (left === 0) return refusal(43101, "user refuse to accept the msg");
    this.consents.set(consent, left - 1);
    const msgid = 4_000_000_000_000_000 + this.sent.length;
    this.sent.push({ openid: touser, templateId: template_id, page, data, msgId: String(msgid) });
    return { ...refusal(0, "ok"), msgid };
  }

  #proves(appId: string | null | undefined, secret: string | null | undefined): object | null {
    if (appId !== miniProgramDraft.appId) return refusal(40013, "invalid appid");
    return secret === miniProgramDraft.secret ? null : refusal(40125, "invalid appsecret");
  }

  #session(query: URLSearchParams): object {
    const code = query.get("js_code") ?? "";
    const openid = this.#loginCodes.get(code);
    if (!openid || query.get("grant_type") !== "authorization_code") {
      return refusal(40029, "invalid code");
    }
    if (this.#used.has(code)) return refusal(40163, "code been used");
    this.#used.add(code);
    return { session_key: this.sessionKey, openid };
  }

  #phone(code: string): object {
    const phone = this.#phoneCodes.get(code);
    if (!phone || this.#used.has(code)) return refusal(40029, "invalid code");
    this.#used.add(code);
    const { countryCode, number, appId } = phone;
    return {
      ...refusal(0, "ok"),
      phone_info: {
        phoneNumber: countryCode === "86" ? number : `+${countryCode}${number}`,
        purePhoneNumber: number,
        countryCode,
        watermark: { timestamp: Math.floor(Date.now() / 1000), appid: appId },
      },
    };
  }
}

async function read(request: IncomingMessage) {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  const body = (text ? JSON.parse(text) : {}) as Record<string, string>;
  return { path: pathname, query: searchParams, body };
}
