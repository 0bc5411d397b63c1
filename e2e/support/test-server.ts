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
  /** Opens a page in a browser context that has nothing but files in its cache, like another user. */
  visit(viewport?: { width: number; height: number }): Promise<Visit>;
  /** Opens a page in a browser context whose cache, too, is empty. */
  firstVisit(): Promise<Visit>;
}

/** Runs from before the first test of the file until after the last. */
export function useTestServer(options: ServerOptions): TestServer {
  return useServer(() => startServer(options));
}

export interface DemoServer extends TestServer {
  /** Runs statements on the demo's database, for what only time would bring about. */
  run(statement: string): Promise<void>;
  /** Reads rows of the demo's database beside the server. */
  read<Row extends object>(statement: string): Promise<Row[]>;
}

/**
 * Includes the demo's tenants and simulated cabinets, for this file alone: for files that stop a part of the server, change
 * what all tenants share, lock accounts or count rows.
 */
export function useDemo(options: DemoOptions = {}): DemoServer {
  let demo: Demo | undefined;
  // afterAll hooks run in reverse order: the server stops before its copy is removed.
  afterAll(() => demo?.copy.remove());
  return useDemoOf(
    async () => {
      demo = await startDemo(options);
      return demo;
    },
    ({ server }) => server.stop(),
  );
}

/**
 * The demo that the files of a worker share: for files that only read, or leave nothing behind that
 * another could stumble over. Accounts stay signed in from file to file.
 */
export const useSharedDemo = (): DemoServer => useWorkerDemo("read");

/**
 * The demo in which the files of a worker save records: each is right whatever the others have saved, so it finds its own
 * by name or number and counts nothing that others add. Webhooks may be sent to this machine.
 */
export const useWrittenDemo = (): DemoServer =>
  useWorkerDemo("written", { env: { CALLBACK_LOOPBACK: "on" } });

type DemoOptions = Pick<ServerOptions, "env" | "isSecure">;

interface Demo {
  server: Server;
  copy: DemoCopy;
}

async function startDemo({ env, isSecure = false }: DemoOptions = {}): Promise<Demo> {
  const copy = await copyDemo();
  const server = await startServer({
    args: ["--demo"],
    isSecure,
    dataDir: copy.dataDir,
    env: { ...env, DATABASE_URL: copy.databaseUrl },
  });
  return { server, copy };
}

/** Demos of this worker; they end with it. */
const workerDemos = new Map<string, Promise<Demo>>();

function useWorkerDemo(name: string, options?: DemoOptions): DemoServer {
  const keep = async () => {};
  return useDemoOf(() => {
    const demo = workerDemos.get(name) ?? startDemo(options);
    workerDemos.set(name, demo);
    return demo;
  }, keep);
}

function useDemoOf(start: () => Promise<Demo>, stop: (demo: Demo) => Promise<void>): DemoServer {
  let demo: Demo | undefined;
  const testServer = useServer(
    async () => {
      demo = await start();
      return demo.server;
    },
    async () => demo && stop(demo),
  );
  const read = async <Row extends object>(statement: string) => {
    if (!demo) throw new Error("the demo has not started");
    const { rows } = await withClient(demo.copy.databaseUrl, (client) =>
      client.query<Row>(statement),
    );
    return rows;
  };
  const run = async (statement: string) => void (await read(statement));
  return Object.assign(testServer, { run, read });
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
    visit: (viewport) => visit(browser, server, { viewport }),
    firstVisit: () => visit(browser, server, { isFirst: true }),
  };
}
