// Inbox of the demo: text messages with sign-in and pickup codes, which no carrier sends, on this machine only.
import { messageScenarioText } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { openSmsText } from "../../features/messaging/sms/index.ts";
import type { Database } from "../../platform/db/db.ts";
import { refuse } from "../../platform/errors.ts";
import { findNewest, type InboxRow } from "./inbox.sql.ts";

export const INBOX_PATH = "/demo/inbox";

export interface InboxMessage {
  at: string;
  phone: string;
  scene: string;
  text: string;
}

/** Registers a page for visitors and its content as JSON: `?phone=` shows one recipient's messages. */
export function addInbox(app: FastifyInstance, database: Database): void {
  const read = (request: FastifyRequest): Promise<InboxMessage[]> => {
    requireThisMachine(request);
    const { phone } = request.query as { phone?: string };
    return database.read("platform", async (db) =>
      (await findNewest(db, phone ?? null)).map((row) => messageOf(row, database)),
    );
  };
  app.get(INBOX_PATH, async (request, reply) =>
    reply.type("text/html; charset=utf-8").send(pageOf(await read(request))),
  );
  app.get(`${INBOX_PATH}.json`, async (request) => read(request));
}

/** The Host header, too: a foreign page whose name resolves to this machine reads nothing. */
function requireThisMachine({ ip, headers }: FastifyRequest): void {
  const isLocal = /^(::ffff:)?127\.|^::1$/.test(ip);
  const isNamedSo = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(headers.host ?? "");
  if (!isLocal || !isNamedSo) refuse("ROUTE_NOT_FOUND");
}

function messageOf({ tenantId, at, phone, scene, sealedText }: InboxRow, { vault }: Database) {
  const text = openSmsText(vault, { tenantId, phone }, sealedText);
  return { at, phone, scene: messageScenarioText[scene], text };
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? "");
const clock = new Intl.DateTimeFormat("zh-CN", {
  timeZone: "Asia/Shanghai",
  dateStyle: "short",
  timeStyle: "medium",
});

/** Without styles, which the content security policy keeps out of documents. */
function pageOf(messages: readonly InboxMessage[]): string {
  const items = messages.map(
    ({ at, phone, scene, text }) => `<li>
<p>${clock.format(new Date(at))} <a href="?phone=${phone}">${phone}</a> ${scene}</p>
<p><strong>${escaped(text)}</strong></p>
</li>`,
  );
  return `<!doctype html>
<html lang="zh-CN">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="3">
<title>演示短信</title>
<main>
<h1>演示短信</h1>
<p>演示环境不真的发短信：新的登录验证码和取件码显示在这里，只在本机打得开。<a href="${INBOX_PATH}">全部</a></p>
<ul>
${items.join("\n")}
</ul>
</main>
`;
}
