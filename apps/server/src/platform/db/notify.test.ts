// Tests notifications over a connection that goes silent, like a pulled cable without a FIN.
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDatabaseLine } from "../../../../../tests/support/database-line.ts";
import { cloneDatabase } from "../../../../../tests/support/postgres.ts";
import { type Database, openDatabase } from "./db.ts";
import { Listener, notify } from "./notify.ts";

let url: string;
let database: Database;
beforeAll(async () => {
  ({ url } = await cloneDatabase());
  database = openDatabase(url, { max: 2 });
});
afterAll(() => database.close());

test("listener: detects a silent connection, reconnects and receives again", async () => {
  const line = await startDatabaseLine(url);
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
  await expect.poll(() => heard).toEqual(["before"]);
  line.cut();
  await say("lost");
  await isBack;
  await say("after");
  await expect.poll(() => heard).toEqual(["before", "after"]);
  await listener.close();
  line.stop();
});

test("listener: a start that gets no answer leaves no connection behind", async () => {
  const line = await startDatabaseLine(url, { isDeaf: true });
  const log = pino({ level: "silent" });
  const listener = new Listener(line.url, log, { answerWithinMs: 1_000 });
  await expect(listener.start()).rejects.toThrow(/no answer/);
  await line.left;
  line.stop();
});

test("listener: closing during the start leaves no connection behind", async () => {
  const line = await startDatabaseLine(url);
  const listener = new Listener(line.url, pino({ level: "silent" }));
  await Promise.all([listener.start(), listener.close()]);
  await line.left;
  line.stop();
});
