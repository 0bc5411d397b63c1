// Vitest fixture: a server and a Chromium for all tests of a file.
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { withClient } from "../../tests/support/postgres.ts";
import { describePage, sharedBrowser, type Visit, visit } from "./browser.ts";
import { copyDemo, type DemoCopy } from "./demo.ts";
import { LOG_TAIL, type Server, type ServerOptions, startServer } from "./server.ts";

export interface TestServer {
  readonly server: Server;
  readonly browser: Browser;
  /** Opens a fresh browser context with a page, like another user. */
  visit(viewport?: { width: number; height: number }): Promise<Visit>;
}

/** Runs from before the first test of the file until after the last. */
export function useTestServer(options: ServerOptions): TestServer {
  return useServer(() => startServer(options));
}

export interface DemoServer extends TestServer {
  /** Runs statements on the demo's database, for what only time would bring about. */
  run(statement: string): Promise<void>;
}

/** Includes the demo's tenants and simulated cabinets. */
export function useDemo(options: Pick<ServerOptions, "env" | "isSecure"> = {}): DemoServer {
  let copy: DemoCopy | undefined;
  // afterAll hooks run in reverse order: the server stops before its copy is removed.
  afterAll(() => copy?.remove());
  const testServer = useServer(async () => {
    copy = await copyDemo();
    return startDemo(copy, options);
  });
  const run = async (statement: string) => {
    if (!copy) throw new Error("the demo has not started");
    await withClient(copy.databaseUrl, (client) => client.query(statement));
  };
  return Object.assign(testServer, { run });
}

const startDemo = (
  copy: DemoCopy,
  { env, isSecure = false }: Pick<ServerOptions, "env" | "isSecure"> = {},
): Promise<Server> =>
  startServer({
    args: ["--demo"],
    isSecure,
    dataDir: copy.dataDir,
    env: { ...env, DATABASE_URL: copy.databaseUrl },
  });

/** One demo for several files of a worker; it ends with the worker. */
let workerDemo: Promise<Server> | undefined;

/**
 * The demo that the files of a worker share: for files that only read, or leave nothing behind that
 * another could stumble over. Accounts stay signed in from file to file.
 */
export function useSharedDemo(): TestServer {
  const keep = async () => {};
  return useServer(() => {
    workerDemo ??= copyDemo().then((copy) => startDemo(copy));
    return workerDemo;
  }, keep);
}

function useServer(
  start: () => Promise<Server>,
  stop = (server: Server): Promise<void> => server.stop(),
): TestServer {
  let server: Server;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([start(), sharedBrowser()]);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== "fail") return;
    const pages = browser.contexts().flatMap((context) => context.pages());
    for (const page of pages) process.stdout.write(`${task.name}: ${await describePage(page)}\n`);
    process.stdout.write(`${task.name}: ${server.output().slice(-LOG_TAIL)}\n`);
  });
  afterAll(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await stop(server);
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
