// Notices over a connection that goes silent: a cable that was pulled says no goodbye.
import { once } from "node:events";
import net from "node:net";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneDatabase } from "../../../../tests/support/postgres.ts";
import { Database } from "./db.ts";
import { Listener, notify } from "./notify.ts";

let url: string;
let database: Database;
beforeAll(async () => {
  ({ url } = await cloneDatabase());
  database = new Database(url, { max: 2 });
});
afterAll(() => database.close());

/** What the database says of itself when one may ask. */
const READY = "Z\0\0\0\u0005I";

/**
 * A line to the database; what was connected when it is cut hears and says nothing any more. Whoever is
 * connected by a `deaf` one is asked in, and then never heard.
 */
async function startLine({ isDeaf = false } = {}) {
  const { host, port, user = "", password, database: name = "" } = new pg.Client(url);
  const isPath = host.startsWith("/");
  const pairs = new Set<net.Socket[]>();
  const left = Promise.withResolvers<void>();
  const server = net.createServer((here) => {
    const there = isPath ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host);
    const pair = [here, there];
    pairs.add(pair);
    here.pipe(there).pipe(here);
    here.once("close", left.resolve);
    there.on("data", (data) => {
      if (isDeaf && data.includes(READY)) here.unpipe(there).resume();
    });
    for (const socket of pair) socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  return {
    /** When the first who came has gone. */
    left: left.promise,
    url: `postgres://${user}:${encodeURIComponent(String(password ?? ""))}@${at}/${name}`,
    cut() {
      for (const [here, there] of pairs) {
        here?.unpipe();
        there?.unpipe();
        here?.pause();
        there?.pause();
      }
    },
    stop() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      server.close();
    },
  };
}

test("a listener whose connection went silent finds out, and hears again", async () => {
  const line = await startLine();
  const listener = new Listener(line.url, pino({ level: "silent" }), {
    lookEveryMs: 50,
    answerWithinMs: 4_000,
  });
  const heard: unknown[] = [];
  listener.on("live", (payload) => heard.push(payload));
  const isBack = new Promise<void>((resolve) => listener.onReconnect(resolve));
  await listener.start();
  const say = (what: string) => database.transaction("platform", (db) => notify(db, "live", what));
  await say("before");
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual(["before"]);
  line.cut();
  await say("lost");
  await isBack;
  await say("after");
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual(["before", "after"]);
  await listener.close();
  line.stop();
});

test("a listener that is not answered when it begins leaves nothing behind", async () => {
  const line = await startLine({ isDeaf: true });
  const log = pino({ level: "silent" });
  const listener = new Listener(line.url, log, { answerWithinMs: 1_000 });
  await expect(listener.start()).rejects.toThrow(/timeout/);
  await line.left;
  line.stop();
});

test("a listener that is closed while it begins leaves nothing behind", async () => {
  const line = await startLine();
  const listener = new Listener(line.url, pino({ level: "silent" }));
  await Promise.all([listener.start(), listener.close()]);
  await line.left;
  line.stop();
});
