// Upgrade under load: the last release and this code side by side on one database, forward and back by one.
import { execFileSync } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { afterAll, expect, inject, test, vi } from "vitest";
import { type Server, startServer } from "../e2e/support/server.ts";
import { databaseUrl, withClient } from "./support/postgres.ts";

vi.setConfig({ testTimeout: 300_000 });

const root = path.join(import.meta.dirname, "..");
const FROZEN = "apps/server/db/released-migrations.json";
const CALLERS = 4;
const PAUSE_MS = 20;
const SIDE_BY_SIDE_MS = 4_000;

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

const frozen: Record<string, object> = JSON.parse(readFileSync(path.join(root, FROZEN), "utf8"));

/** The commit that froze the migrations of the last release; null where the history does not have it. */
function findRelease(): string | null {
  try {
    if (git("rev-parse", "--is-shallow-repository").trim() !== "false") return null;
    const commit = git("log", "-1", "--format=%H", "--", FROZEN).trim();
    const paths = git("ls-tree", "--name-only", commit, "apps/server/db/migrations/").trim();
    const names = paths.split("\n").map((each) => path.basename(each));
    const released = Object.values(frozen).flatMap((files) => Object.keys(files));
    return String(names.sort()) === String(released.sort()) ? commit : null;
  } catch {
    return null;
  }
}

const release = findRelease();
const folders: string[] = [];
const servers: Server[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function makeFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), name));
  folders.push(folder);
  return folder;
}

/** The release's code, with the libraries that are installed here. */
async function checkOut(commit: string): Promise<string> {
  const folder = await makeFolder("release-");
  const archive = path.join(folder, "code.tar");
  git("archive", "--output", archive, commit, "package.json", "apps/server", "packages");
  execFileSync("tar", ["-xf", archive, "-C", folder]);
  const libraries = path.join(folder, "node_modules");
  await mkdir(path.join(libraries, "@cabinet"), { recursive: true });
  for (const name of await readdir(path.join(root, "node_modules"))) {
    if (name === "@cabinet") continue;
    await symlink(path.join(root, "node_modules", name), path.join(libraries, name));
  }
  for (const [name, place] of [
    ...[["contract", "packages/contract"] as const, ["link", "packages/cabinet-link"] as const],
    ...[["open-api-client", "packages/open-api-client"] as const],
  ]) {
    await symlink(path.join(folder, place), path.join(libraries, "@cabinet", name));
  }
  // Served files; no request of this test asks for one.
  for (const app of ["console", "pickup"]) {
    await mkdir(path.join(folder, "apps", app), { recursive: true });
    await symlink(path.join(root, "apps", app, "dist"), path.join(folder, "apps", app, "dist"));
  }
  return folder;
}

async function migrationsIn(code: string): Promise<string[]> {
  return (await readdir(path.join(code, "apps/server/db/migrations"))).sort();
}

/** People who read and write through whichever server is in rotation, as behind a proxy. */
class Load {
  readonly failures: string[] = [];
  readonly answered = new Map<string, number>();
  readonly #token: string;
  readonly #rotation = new Map<string, { origin: string; inFlight: number }>();
  #isStopped = false;
  #next = 0;
  #running: Promise<unknown> = Promise.resolve();

  constructor(token: string) {
    this.#token = token;
  }

  start(): void {
    this.#running = Promise.all(Array.from({ length: CALLERS }, () => this.#callOn()));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  add(name: string, origin: string): void {
    this.#rotation.set(name, { origin, inFlight: 0 });
  }

  /** Takes the server out of rotation; resolves when it has answered everything. */
  async remove(name: string): Promise<void> {
    const server = this.#rotation.get(name);
    this.#rotation.delete(name);
    while (server && server.inFlight > 0) await sleep(10);
  }

  /** Resolves when each of these servers has answered this many calls more. */
  async untilAnswered(names: string[], calls: number): Promise<void> {
    const goals = names.map((name) => ({ name, goal: (this.answered.get(name) ?? 0) + calls }));
    while (goals.some(({ name, goal }) => (this.answered.get(name) ?? 0) < goal)) {
      if (this.failures.length > 0) return;
      await sleep(50);
    }
  }

  async #callOn(): Promise<void> {
    while (!this.#isStopped) {
      const names = [...this.#rotation.keys()];
      const name = names[this.#next++ % names.length] ?? "";
      const server = this.#rotation.get(name);
      if (!server) {
        await sleep(10);
        continue;
      }
      server.inFlight++;
      const failure = await this.#call(server.origin).catch((error) => String(error));
      server.inFlight--;
      await sleep(PAUSE_MS);
      if (failure) this.failures.push(`${name}: ${failure}`);
      else this.answered.set(name, (this.answered.get(name) ?? 0) + 1);
    }
  }

  /** Null, or how the call failed. */
  async #call(origin: string): Promise<string | null> {
    const { spec, query, body } = calls[this.#next % calls.length] as Call;
    const reply = await fetch(`${origin}${urlPath(spec)}?${new URLSearchParams(query)}`, {
      method: spec.method,
      headers: {
        ...{ "auth-token": this.#token, tenantid: "1", "auth-id": "cupboard" },
        ...(body && { "content-type": "application/json", "idempotency-key": randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body()) }),
    });
    const answer = (await reply.json()) as { code: number; errMsg: string };
    const isGood = reply.status === 200 && answer.code === 0;
    return isGood ? null : `${spec.method} ${spec.path} ${reply.status} ${answer.errMsg}`;
  }
}

interface Call {
  spec: EndpointSpec;
  query?: Record<string, string>;
  body?: () => object;
}

const page = { page: "1", pageSize: "10" };
const calls: Call[] = [
  { spec: tenancyContract.list, query: page },
  { spec: cabinetContract.list, query: page },
  { spec: orderContract.list, query: { ...page, side: "SINGLE" } },
  { spec: storeContract.list, query: page },
  { spec: faqContract.categories },
  {
    spec: faqContract.createCategory,
    body: () => ({ name: randomUUID().slice(0, 12), audience: "END_USER" }),
  },
];

async function signIn(url: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await withClient(url, (client) =>
    client.query(
      `insert into session (token_hash, tenant_id, operator_id, expires_at)
        select $1, tenant_id, id, now() + interval '1 hour' from operator limit 1`,
      [createHash("sha256").update(token).digest()],
    ),
  );
  await withClient(url, (client) =>
    client.query("update operator set must_change_password = false"),
  );
  return token;
}

async function makeDatabase(): Promise<string> {
  const home = inject("postgresUrl");
  const name = `upgrade_${randomBytes(6).toString("hex")}`;
  await withClient(home, (client) => client.query(`create database ${name} template template0`));
  return databaseUrl(home, name);
}

test.skipIf(release === null)(
  "U1: no request fails while the last release is replaced, nor on the way back by one",
  async () => {
    const old = await checkOut(release ?? "");
    expect((await migrationsIn(root)).length).toBeGreaterThanOrEqual(
      (await migrationsIn(old)).length,
    );
    const url = await makeDatabase();
    const dataDir = await makeFolder("upgrade-");
    const start = async (code: string, migrates: boolean): Promise<Server> => {
      const server = await startServer({
        ...{ code, dataDir, args: ["--services=api,worker"] },
        env: { DATABASE_URL: url, MIGRATE: migrates ? "on" : "off" },
      });
      servers.push(server);
      return server;
    };

    const before = await start(old, true);
    const load = new Load(await signIn(url));
    load.add("before", before.origin);
    load.start();
    await load.untilAnswered(["before"], 30);

    // This code migrates the schema below the running release.
    const after = await start(root, true);
    load.add("after", after.origin);
    await sleep(SIDE_BY_SIDE_MS);
    await load.untilAnswered(["before", "after"], 30);
    await load.remove("before");
    await before.stop();
    await load.untilAnswered(["after"], 30);

    const again = await start(old, false);
    load.add("again", again.origin);
    await sleep(SIDE_BY_SIDE_MS);
    await load.untilAnswered(["after", "again"], 30);
    await load.remove("after");
    await after.stop();
    await load.untilAnswered(["again"], 30);

    await load.stop();
    expect(load.failures).toEqual([]);
  },
);
