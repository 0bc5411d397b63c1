// Readiness names what is wrong; a proxy leaves out what the process can do without.
import os from "node:os";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDatabaseLine } from "../../../../../tests/support/database-line.ts";
import { cloneDatabase, withClient } from "../../../../../tests/support/postgres.ts";
import { type Database, openDatabase } from "../db/db.ts";
import { sql } from "../db/sql.ts";
import { commit, version } from "../version.ts";
import { addHealthRoutes, hasRoom, type Readiness } from "./health.ts";

let url: string;
let database: Database;
let app: FastifyInstance;
const works = { disk: true, broker: true };
const readiness: Readiness = {
  isReady: true,
  checks: { broker: () => works.broker },
  warnings: { disk: () => works.disk },
};

beforeAll(async () => {
  url = (await cloneDatabase()).url;
  database = openDatabase(url);
  app = Fastify();
  addHealthRoutes(app, database, readiness);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

async function ready(url = "/readyz") {
  const reply = await app.inject({ url });
  return { code: reply.statusCode, ...reply.json() };
}

const well = { version, commit, database: true, write: true, disk: true, broker: true };

test("ready: everything works, and the metrics say so", async () => {
  expect(await ready()).toEqual({ code: 200, status: "ready", ...well });
  const { body } = await app.inject({ url: "/metrics" });
  expect(body).toMatch(/^health_check\{check="broker"\} 1$/m);
});

test("not ready: without the broker, unless the caller excludes it", async () => {
  works.broker = false;
  const without = { ...well, broker: false };
  expect(await ready()).toEqual({ code: 503, status: "not ready", ...without });
  expect(await ready("/readyz?exclude=broker")).toEqual({ code: 200, status: "ready", ...without });
  expect(await ready("/readyz?exclude=disk")).toMatchObject({ code: 503 });
  const { body } = await app.inject({ url: "/metrics" });
  expect(body).toMatch(/^health_check\{check="broker"\} 0$/m);
  works.broker = true;
});

test("ready: a disk with little room is told and measured, and takes no process out of service", async () => {
  works.disk = false;
  expect(await ready()).toEqual({ code: 200, status: "ready", ...well, disk: false });
  const { body } = await app.inject({ url: "/metrics" });
  expect(body).toMatch(/^health_check\{check="disk"\} 0$/m);
  works.disk = true;
});

test("not ready: a check that fails, a process that drains", async () => {
  const { broker } = readiness.checks;
  readiness.checks.broker = () => Promise.reject(new Error("no such broker"));
  expect(await ready()).toMatchObject({ code: 503, broker: false });
  if (broker) readiness.checks.broker = broker;
  readiness.isReady = false;
  expect(await ready()).toEqual({ code: 503, status: "not ready", ...well });
  readiness.isReady = true;
});

test("not ready: a database that can be read only, as after a failover to a replica", async () => {
  const name = new URL(url).pathname.slice(1);
  const set = (value: string) =>
    withClient(url, async (owner) => {
      await owner.query(`set default_transaction_read_only = off`);
      await owner.query(`alter database ${name} set default_transaction_read_only = ${value}`);
    });
  await set("on");
  const frozen = openDatabase(url);
  const behind = Fastify();
  addHealthRoutes(behind, frozen, readiness);
  const reply = await behind.inject({ url: "/readyz" });
  expect({ code: reply.statusCode, ...reply.json() }).toMatchObject({
    ...{ code: 503, database: true, write: false },
  });
  await behind.close();
  await frozen.close();
  await set("off");
});

test("not ready: a database that has gone silent, in the first answer and the first scrape", async () => {
  const line = await startDatabaseLine(url);
  const silent = openDatabase(line.url, { answerWithinMs: 4_000 });
  const behind = Fastify();
  addHealthRoutes(behind, silent, readiness);
  await silent.unscoped(sql`select 1`);
  line.cut();
  const [ready, metrics] = await Promise.all([
    behind.inject({ url: "/readyz" }),
    behind.inject({ url: "/metrics" }),
  ]);
  expect(ready.json()).toMatchObject({ database: false, write: false, disk: true });
  expect(metrics.body).toMatch(/^health_check\{check="database"\} 0$/m);
  await behind.close();
  await silent.close();
  line.stop();
});

test("disk: room is measured where the folder is", async () => {
  expect(await hasRoom(os.tmpdir())).toBe(true);
  await expect(hasRoom("/nowhere")).rejects.toThrow();
});
