// Migrations: released ones stay as they were published, new ones let requests and the earlier release run on.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it, test } from "vitest";
import {
  compareReleases,
  MIGRATIONS,
  readMigrations,
} from "../apps/server/src/platform/db/migration-files.ts";
import { BIG_TABLES, lintMigration } from "./support/migration-lint.ts";

const read = (file: string) => readFileSync(path.join(import.meta.dirname, "..", file), "utf8");
const released: Record<string, Record<string, string>> = JSON.parse(
  read("apps/server/db/released-migrations.json"),
);
const { version } = JSON.parse(read("package.json"));
const frozen = Object.assign({}, ...Object.values(released)) as Record<string, string>;

/** Names of files whose hash is another one than that of the release; missing files included. */
function changedFiles(files: { name: string; sha256: string }[]): string[] {
  const hashes = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  return Object.keys(frozen).filter((name) => hashes.get(name) !== frozen[name]);
}

test("released migrations: unchanged, none of a later release", async () => {
  const files = await readMigrations(MIGRATIONS);
  expect(changedFiles(files)).toEqual([]);
  for (const release of Object.keys(released)) {
    expect(compareReleases(release, version), release).toBeLessThanOrEqual(0);
  }
});

test("released migrations: a changed and a removed one are reported", async () => {
  const [first, second, ...others] = await readMigrations(MIGRATIONS);
  if (!first || !second) throw new Error("no migrations");
  expect(changedFiles([{ ...first, sha256: "other" }, ...others])).toEqual([
    first.name,
    second.name,
  ]);
});

test("new migrations: are of a version above the last released one, so that it can be refused", async () => {
  const fresh = (await readMigrations(MIGRATIONS)).filter(({ name }) => !(name in frozen));
  const last = Object.keys(released).sort(compareReleases).at(-1) ?? "";
  if (fresh.length > 0) expect(compareReleases(version, last), version).toBeGreaterThan(0);
});

test("new migrations: pass the lint", async () => {
  const fresh = (await readMigrations(MIGRATIONS)).filter(({ name }) => !(name in frozen));
  const releases = Object.keys(released);
  const problems = fresh.flatMap((file) =>
    lintMigration(file, releases).map((problem) => `${file.name}: ${problem}`),
  );
  expect(problems).toEqual([]);
});

test("migration lint: its big tables exist", () => {
  const tables = [...read("apps/server/db/schema.sql").matchAll(/^create table (\w+)/gm)];
  expect(tables.map(([, name]) => name)).toEqual(expect.arrayContaining(BIG_TABLES));
});

const lint = (text: string, oldestRelease: string | null = null) =>
  lintMigration(
    { text, oldestRelease, isConcurrent: /^create (unique )?index concurrently/m.test(text) },
    ["1.0.0"],
  );

it.each([
  ["an index on a big table", "create index a on command (id)", "needs concurrently"],
  ["lock_timeout", "set local lock_timeout = '1min'", "the runner sets lock_timeout"],
  [
    "another statement beside a concurrent index",
    "drop index concurrently if exists a;\ncreate index concurrently a on command (id);\nselect 1",
    "a file of its own",
  ],
  [
    "an interrupted build",
    "create index concurrently a on command (id)",
    "drop index concurrently",
  ],
  [
    "a partitioned table",
    "drop index concurrently if exists a;\ncreate index concurrently a on order_event (order_id)",
    "no concurrent index",
  ],
  ["another type", "alter table command alter column kind type int", "rewrites a big table"],
  ["a stored column", "alter table command add a int generated always as (1) stored", "rewrites"],
  [
    "a volatile default",
    "alter table command add column a uuid default gen_random_uuid()",
    "volatile",
  ],
  ["a check of all rows", "alter table command add check (seq > 0)", "not valid"],
  ["a unique constraint", "alter table command add unique (seq)", "builds an index"],
  ["an update of all rows", "update command set kind = 'A'", "in batches"],
  ["a full vacuum", "vacuum full store", "rewrites a table"],
  ["a dropped column", "alter table store drop column name", "breaks the release before"],
  ["a dropped column, without the noise word", "alter table store drop name", "breaks the release"],
  ["a renamed table", "alter table store rename to shop", "breaks the release before"],
  ["a dropped function", "drop function is_locked", "breaks the release before"],
  ["a required column", "alter table store add column a int not null", "breaks the release before"],
  ["one of two", "alter table store add a int default 0, add b int not null", "breaks the release"],
])("migration lint: reports %s", (_, text, problem) => {
  expect(lint(text).join("\n")).toContain(problem);
});

it("migration lint: a drop names a published release", () => {
  expect(lint("drop table faq", "1.0.0")).toEqual([]);
  expect(lint("drop table faq", "9.0.0")).toEqual([
    "oldest release 9.0.0: no such release was published",
  ]);
});

it.each([
  "create table a (id int not null);\ncreate index b on a (id);\nalter table a drop column id",
  "drop index concurrently if exists a;\n\ncreate unique index concurrently a on command (id)",
  "alter table command add column a int not null default 0",
  "alter table command add constraint a check (seq > 0) not valid;\ndrop index command_seq",
  "alter table store drop constraint a, alter column name drop not null",
  "-- lock_timeout and drop table faq\nselect 'drop table faq; update command'",
  "create function a() returns void language sql as $$ update command set kind = 'A' $$",
])("migration lint: accepts %s", (text) => {
  expect(lint(text)).toEqual([]);
});
