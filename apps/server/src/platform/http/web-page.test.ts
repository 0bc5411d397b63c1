// The web page's files: one document for every address, its policy, caching, and a clear message without a build.
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveConsole } from "./console.ts";
import { serveWebPage } from "./web-page.ts";

const PAGE = "<!doctype html><title>取件</title>";

let root: string;
let app: FastifyInstance;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "web-page-"));
  app = Fastify();
});
afterEach(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

async function serve(): Promise<void> {
  await serveConsole(app, { hasMap: async () => false });
  await serveWebPage(app, root);
}

async function build(): Promise<void> {
  await mkdir(path.join(root, "assets"));
  await writeFile(path.join(root, "index.html"), PAGE);
  await writeFile(path.join(root, "assets/start-1a2b.js"), "start()");
  await writeFile(path.join(root, "assets/start-1a2b.js.br"), brotliCompressSync("start()"));
}

const document = { accept: "text/html" };

describe("addresses", () => {
  it.each([
    ["//login", "/login"],
    ["/cupboard//index?a=//b", "/cupboard/index?a=//b"],
    ["//evil.example/", "/evil.example/"],
    ["/%2f%2fevil.example//", "/%2f%2fevil.example/"],
    ["///m//c/CAB00000001", "/m/c/CAB00000001"],
  ])("%s: doubled slashes lead to the page", async (url, location) => {
    await build();
    await serve();
    const reply = await app.inject({ url, headers: document });
    expect(reply).toMatchObject({ statusCode: 308, headers: { location } });
  });

  it("backslashes, which browsers take for slashes, lead to no other host", async () => {
    await build();
    await serve();
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.addresses()[0] as AddressInfo;
    const asked = get({ port, host: "127.0.0.1", path: "/\\evil.example//", headers: document });
    const [reply] = (await once(asked, "response")) as [IncomingMessage];
    reply.resume();
    expect(reply).toMatchObject({ statusCode: 308, headers: { location: "/evil.example/" } });
  });

  it.each(["/api//admin", "//api/admin/v1/menu", "/open//v1/app"])(
    "%s: a call with doubled slashes is no page",
    async (url) => {
      await serve();
      const { statusCode } = await app.inject({ url, headers: document });
      expect(statusCode).toBeGreaterThanOrEqual(400);
    },
  );
});

describe("web page", () => {
  it.each(["/m/", "/m/c/CAB00000001", "/m/t/2?from=sms", "/m/index.html"])(
    "%s: the document, under a policy without foreign sources, never cached blindly",
    async (url) => {
      await build();
      await serve();
      const reply = await app.inject({ url, headers: document });
      expect(reply).toMatchObject({ statusCode: 200, body: PAGE });
      expect(reply.headers["content-security-policy"]).toContain("default-src 'none'");
      expect(reply.headers["content-security-policy"]).toContain("script-src 'self';");
      expect(reply.headers["content-security-policy"]).not.toMatch(/unsafe|http/);
      expect(reply.headers["cache-control"]).toBe("no-cache");
    },
  );

  it("hashed files: precompressed and cached for ever", async () => {
    await build();
    await serve();
    const headers = { "accept-encoding": "br" };
    const reply = await app.inject({ url: "/m/assets/start-1a2b.js", headers });
    expect(reply.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-encoding": "br",
    });
  });

  it("missing files and other methods: 404, not the document", async () => {
    await build();
    await serve();
    for (const request of [
      { url: "/m/assets/gone-1a2b.js" },
      { url: "/m/c/CAB00000001", method: "POST" as const },
    ]) {
      const reply = await app.inject({ ...request, headers: document });
      expect(reply.statusCode).toBe(404);
      expect(reply.body).not.toContain("取件");
    }
  });

  it("scanned cabinet: its first calls begin with the document; other addresses have none", async () => {
    await build();
    await serve();
    const linkOf = async (url: string) =>
      (await app.inject({ url, headers: document })).headers.link;
    const links =
      "</api/app/v1/page?sn=CAB00000001>; rel=preload; as=fetch; crossorigin, " +
      "</api/app/v1/cabinet/CAB00000001>; rel=preload; as=fetch; crossorigin";
    for (const url of ["/m/c/CAB00000001", "/m/c/cab00000001?from=code"]) {
      expect(await linkOf(url)).toBe(links);
    }
    for (const url of [
      "/m/",
      "/m/t/2",
      "/m/c/CAB00000001/pickup",
      "/m/c/A",
      "/m/c/a%3E%3Cb000000",
    ]) {
      expect(await linkOf(url), url).toBeUndefined();
    }
  });

  it("/m: redirects to the page, not to the console", async () => {
    await build();
    await serve();
    const reply = await app.inject({ url: "/m", headers: document });
    expect(reply).toMatchObject({ statusCode: 302, headers: { location: "/m/" } });
  });

  it("without a build: says what to do", async () => {
    await serve();
    const reply = await app.inject({ url: "/m/c/CAB00000001", headers: document });
    expect(reply.statusCode).toBe(503);
    expect(reply.body).toContain("npm run setup");
  });
});
