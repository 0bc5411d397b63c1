// Inbox of the demo: shows codes on this machine alone, and no other installation has it.
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useTestServer } from "../../../../../tests/support/test-server.ts";
import { queueSms } from "../../features/messaging/sms/index.ts";
import { sendError } from "../../platform/http/http-error.ts";
import { addInbox, INBOX_PATH } from "./inbox.ts";

const testServer = useTestServer();
const PHONE = "13800001234";
const NEIGHBOUR = "13800005678";
let app: FastifyInstance;

beforeEach(async () => {
  app = Fastify({ trustProxy: ["loopback"] });
  app.decorateRequest("refusalCode", null);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  addInbox(app, testServer.database);
  const { id: tenantId } = await testServer.makeTenant();
  await testServer.database.transaction("platform", async (db) => {
    await queueSms(db, { tenantId, phone: PHONE, scene: "SIGN_IN_CODE", text: "验证码 <111111>" });
    await queueSms(db, { tenantId, phone: NEIGHBOUR, scene: "PICKUP_CODE", text: "取件码 222222" });
    await queueSms(db, { tenantId, phone: PHONE, scene: "OVERDUE", text: "已滞留" });
  });
});
afterEach(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: "127.0.0.1:8080", ...headers } });

describe("demo inbox", () => {
  it("codes of everybody, newest first, escaped; of one phone by query", async () => {
    const page = await get(INBOX_PATH);
    expect(page.statusCode).toBe(200);
    expect(page.body).toMatch(/222222[\s\S]*验证码 &lt;111111&gt;/);
    expect(page.body).not.toContain("已滞留");
    const mine = (await get(`${INBOX_PATH}.json?phone=${PHONE}`)).json<{ text: string }[]>();
    expect(mine[0]?.text).toContain("111111");
    expect(mine.every(({ text }) => !text.includes("222222"))).toBe(true);
  });

  it.each([
    ["another machine", { "x-forwarded-for": "203.0.113.9" }],
    ["a foreign name for this machine", { host: "evil.example" }],
  ])("%s: 404", async (_, headers) => {
    for (const url of [INBOX_PATH, `${INBOX_PATH}.json`]) {
      const reply = await get(url, headers);
      expect(reply.statusCode).toBe(404);
      expect(reply.body).not.toContain("111111");
    }
  });

  it("an installation without the demo has no such path", async () => {
    const reply = await testServer.app.inject({ url: `${INBOX_PATH}.json` });
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ errCode: "ROUTE_NOT_FOUND" });
  });
});
