// The server and a Chromium in front of it, for all tests of a file.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { openBrowser, type Visit, visit } from "./browser.ts";
import { copyDemo, type DemoCopy } from "./demo.ts";
import { type Server, type ServerOptions, startServer } from "./server.ts";

export interface TestServer {
  readonly server: Server;
  readonly browser: Browser;
  /** A person of their own: a fresh context and page. */
  visit(viewport?: { width: number; height: number }): Promise<Visit>;
}

/** Stands from before the first test of the file to after the last. */
export function useTestServer(options: ServerOptions): TestServer {
  return useServer(() => startServer(options));
}

/** With the demo's tenants and simulated cabinets. */
export function useDemo(options: Pick<ServerOptions, "env"> = {}): TestServer {
  let copy: DemoCopy | undefined;
  // Hooks run last first: the server lets go of the copy before it is removed.
  afterAll(() => copy?.remove());
  return useServer(async () => {
    copy = await copyDemo();
    const env = { ...options.env, DATABASE_URL: copy.databaseUrl };
    return startServer({ args: ["--demo"], dataDir: copy.dataDir, env });
  });
}

function useServer(start: () => Promise<Server>): TestServer {
  let server: Server;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([start(), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });
  return {
    get server() {
      return server;
    },
    get browser() {
      return browser;
    },
    visit: (viewport) => visit(browser, server, viewport),
  };
}
