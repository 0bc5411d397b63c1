// Promise B1: a backup taken while money is posted restores into a new folder with correct books.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCluster } from "../../apps/server/src/backup/base-backup.ts";
import { checkData } from "../../apps/server/src/backup/check.ts";
import { type Database, openDatabase } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { openFileStore } from "../../apps/server/src/platform/files/files.ts";
import { openVault } from "../../apps/server/src/platform/secrets.ts";
import { seededRandom } from "../../apps/simulator/src/world.ts";
import { type Server, startServer } from "../../e2e/support/server.ts";
import { deepIt, isDeep } from "../support/deep.ts";
import { lacks } from "../support/lacks.ts";
import { Cashier, databaseUrl, expectBooks, type Post, readBooks, sleep } from "./cashier.ts";

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const HANDS = 4;

let home: string;
let server: Server;
let database: Database;
const cashier = new Cashier();
const sent = new Map<string, Post>();
const acknowledged = new Map<string, { post: Post; journalId: number }>();
let isOver = false;
let hands: Promise<void>[] = [];

/** Runs the command; resolves to its exit code and output. */
async function run(command: "backup" | "restore", ...args: string[]) {
  const child = spawn(process.execPath, ["apps/server/src/backup/main.ts", command, ...args], {
    cwd: path.join(import.meta.dirname, "../.."),
    env: { ...process.env, DATA_DIR: path.join(home, "data"), DATABASE_URL: "" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
}

beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), "storage-backup-"));
  const dataDir = path.join(home, "data");
  server = await startServer({ dataDir });
  const vault = await openVault(dataDir);
  database = openDatabase(await databaseUrl(dataDir), { vault, max: 2 });
  await cashier.settle(database);
  const random = seededRandom(SEED);
  const hand = async () => {
    while (!isOver) {
      const endUserId = cashier.people[Math.floor(random() * cashier.people.length)] as number;
      const principalFen = 1 + Math.floor(random() * 500);
      const post = { key: randomUUID(), endUserId, principalFen, bonusFen: principalFen % 3 };
      sent.set(post.key, post);
      const journalId = await cashier.sendUntilAnswered(server.origin, post);
      acknowledged.set(post.key, { post, journalId });
    }
  };
  hands = Array.from({ length: HANDS }, hand);
  while (acknowledged.size < 40) await sleep(5);
});
async function rest(): Promise<void> {
  isOver = true;
  await Promise.all(hands);
}

afterAll(async () => {
  await rest();
  await database.close();
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

/** Path of the only backup in a folder. */
async function backupIn(folder: string): Promise<string> {
  const names = await readdir(folder);
  expect(names).toEqual([expect.stringMatching(/^backup-\d{8}T\d{6}Z$/)]);
  return path.join(folder, names[0] ?? "");
}

const journalsOf = (posts: Iterable<{ post: Post; journalId: number }>) =>
  [...posts].map(({ journalId, post: { key: _, ...amounts } }) => ({ id: journalId, ...amounts }));

let backup: string;

describe(`backup under load (SEED=${SEED})`, () => {
  it("posting continues, --keep 2 leaves two, and the restore has everything acknowledged before the backup", async () => {
    const files = await openFileStore({ dataDir: path.join(home, "data"), s3: null });
    const key = randomUUID();
    const { sizeBytes, sha256 } = await files.put(key, Readable.from("bytes of an upload"));
    await database.transaction("platform", async (db) => {
      await db.run(sql`insert into stored_object (key) values (${key})`);
      await db.run(sql`
        insert into file (tenant_id, purpose, kind, media_type, name, size_bytes, sha256, storage_key)
        values (7, 'ADVERT', 'IMAGE', 'image/png', '图', ${sizeBytes}, ${sha256}, ${key})`);
    });
    const before = [...acknowledged.values()];
    const to = path.join(home, "backups");
    await mkdir(path.join(to, "photos"), { recursive: true });
    for (const name of ["backup-20200101T000000Z", "backup-20200102T000000Z"]) {
      await mkdir(path.join(to, name));
      await writeFile(path.join(to, name, "manifest.json"), "{}");
    }
    const taken = await run("backup", "--to", to, "--keep", "2");
    expect(taken, taken.output).toMatchObject({ code: 0 });
    const duringCount = acknowledged.size - before.length;
    expect(duringCount, "posts while it was taken").toBeGreaterThan(10);
    const [older, newest = "", ...others] = (await readdir(to)).sort();
    expect([older, others]).toEqual(["backup-20200102T000000Z", ["photos"]]);
    backup = path.join(to, newest);
    expect((await stat(path.join(backup, "secret.key"))).mode & 0o077).toBe(0);

    const restored = path.join(home, "restored");
    const result = await run("restore", backup, "--into", restored);
    expect(result, result.output).toMatchObject({ code: 0 });
    expect(result.output).toContain("文件：1 个，内容与登记一致");
    expect(result.output).toContain("消息：恢复点时没有正在发送的");

    const second = await startServer({ dataDir: restored });
    try {
      const copy = openDatabase(await databaseUrl(restored), { max: 2 });
      const books = await readBooks(copy).finally(() => copy.close());
      // Every restored journal was posted; every one acknowledged before the backup is restored.
      const known = new Map(journalsOf(acknowledged.values()).map((each) => [each.id, each]));
      const expected = books.journals.map(({ id }) => known.get(id));
      expect(expected).not.toContain(undefined);
      expectBooks(
        books,
        expected.filter((each) => each !== undefined),
      );
      const there = new Set(books.journals.map(({ id }) => id));
      expect(before.filter(({ journalId }) => !there.has(journalId))).toEqual([]);
      // A post repeated after the restore is recognised by its idempotency key.
      for (const { post, journalId } of before.slice(-3)) {
        expect(await cashier.send(second.origin, post)).toBe(journalId);
      }
      process.stdout.write(
        `B1 SEED=${SEED}: ${before.length} posts before, ${duringCount} meanwhile, ` +
          `${books.journals.length} restored, 0 lost\n`,
      );
    } finally {
      await second.stop();
    }
    await rest();
  }, 240_000);

  deepIt("without the master key: restored only with the key that was kept", async () => {
    const to = path.join(home, "keyless");
    expect(await run("backup", "--to", to, "--without-key")).toMatchObject({ code: 0 });
    const keyless = await backupIn(to);
    expect(existsSync(path.join(keyless, "secret.key"))).toBe(false);
    const other = path.join(home, "other.key");
    await writeFile(other, Buffer.alloc(32, 7));
    for (const [args, sentence] of [
      [[], "这份备份不含主密钥"],
      [["--key", other], "不是这份备份的主密钥"],
    ] as const) {
      const refused = await run("restore", keyless, "--check", ...args);
      expect(refused.code).toBe(1);
      expect(refused.output).toContain(sentence);
    }
    const kept = path.join(home, "data/secret.key");
    const passed = await run("restore", keyless, "--check", "--key", kept);
    expect(passed, passed.output).toMatchObject({ code: 0 });
    expect(passed.output).toContain("演练通过");
  });

  deepIt.skipIf(
    lacks("root 运行的备份", isDeep && process.getuid?.() !== 0 && "当前账户不是 root"),
  )("run by root: the account of the data folder can read it", async () => {
    const account = 65_534;
    const dataDir = path.join(home, "data");
    await chown(dataDir, account, account);
    const taken = await run("backup", "--to", path.join(home, "of-root/backups"));
    await chown(dataDir, 0, 0);
    expect(taken, taken.output).toMatchObject({ code: 0 });
    const folder = await backupIn(path.join(home, "of-root/backups"));
    for (const file of [
      ...[path.join(dataDir, "last-backup"), path.join(home, "of-root")],
      ...[folder, path.join(folder, "manifest.json")],
    ]) {
      expect((await stat(file)).uid, file).toBe(account);
    }
  });
});

describe("restore refused", () => {
  const damages: [string, string, (copy: string) => Promise<unknown>][] = [
    [
      "a byte of a table",
      "个文件缺失或与备份时不同",
      async (copy) => {
        const { files } = JSON.parse(await readFile(path.join(copy, "manifest.json"), "utf8"));
        const table = files.find((each: { path: string }) =>
          /base\/\d+\/\d+$/.test(each.path),
        ).path;
        const bytes = await readFile(path.join(copy, table));
        bytes[100] = (bytes[100] ?? 0) ^ 1;
        await writeFile(path.join(copy, table), bytes);
      },
    ],
    ["a file is gone", "缺失", (copy) => rm(path.join(copy, "postgres/backup_label"))],
    ["no manifest", "不是一份完整的备份", (copy) => rm(path.join(copy, "manifest.json"))],
  ];
  it.each(damages)(
    "damaged backup (%s): nothing is left behind",
    async (_name, sentence, damage) => {
      const copy = path.join(home, `damaged ${randomUUID()}`);
      await cp(backup, copy, { recursive: true });
      await damage(copy);
      const into = `${copy} restored`;
      const refused = await run("restore", copy, "--into", into);
      expect(refused.code).toBe(1);
      expect(refused.output).toContain(sentence);
      expect(existsSync(into)).toBe(false);
      expect(existsSync(`${into}.restoring`)).toBe(false);
    },
  );

  it("--settle without DATABASE_URL", async () => {
    const refused = await run("restore", "--settle");
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("DATABASE_URL") });
  });

  it("target folder not empty: nothing is overwritten", async () => {
    const refused = await run("restore", backup, "--into", path.join(home, "data"));
    expect(refused.code).toBe(1);
    expect(refused.output).toContain("不是空的");
  });

  it("books, SMS credit or audit chain inconsistent: each problem is named", async () => {
    const cluster = await openCluster(path.join(home, "data"), console);
    const owner = await cluster.connect();
    // Only the owner of the database can bypass the triggers.
    await owner.query("set session_replication_role = replica");
    await owner.query("update wallet set bonus_fen = bonus_fen + 1 where end_user_id = $1", [
      cashier.people[0],
    ]);
    await owner.query("insert into sms_account (tenant_id, balance, held) values (7, 1, 1)");
    await owner.query(
      "update audit_log set target = '别的' where id = (select max(id) from audit_log)",
    );
    const checked = checkData(owner, null).finally(() => owner.end());
    const faults = [
      "余额与流水之和不一致的钱包：1",
      "短信余额与记录不一致的租户：1",
      "短信冻结与冻结记录不一致的租户：1",
      "审计校验链断开或被改的记录：1",
    ];
    await expect(checked).rejects.toThrow(faults.map((each) => `- ${each}`).join("\n"));
  });
});
