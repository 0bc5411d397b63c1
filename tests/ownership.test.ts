// One writer per table: apps/server/db/ownership.json names the feature whose statements write each table.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const server = path.join(import.meta.dirname, "../apps/server");
const read = (file: string) => readFileSync(path.join(server, file), "utf8");

/** Table to folder below `features/` or `src/`. */
const owners: Record<string, string> = JSON.parse(read("db/ownership.json"));

const tables = new Set(
  [...read("db/schema.sql").matchAll(/^create table (\w+)/gm)].map(([, name]) => name as string),
);

/** `orders/order` for a file of a feature, otherwise its folder below `src/`; the demo writes rows of everybody. */
function writerOf(file: string): string | null {
  if (file.startsWith("demo/") || file.includes(".test.")) return null;
  const [, noun] = /^features\/([^/]+\/[^/]+)\//.exec(file) ?? [];
  return noun ?? path.dirname(file);
}

/** Tables that a text of TypeScript with SQL in it inserts into, updates or deletes from. */
function writtenTables(source: string): string[] {
  const statement = /\b(?:insert into|update|delete from|merge into)\s+(?:only\s+)?(\w+)/g;
  return [...source.matchAll(statement)].map(([, name]) => name as string);
}

function findWriters(): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>();
  for (const name of readdirSync(path.join(server, "src"), { recursive: true, encoding: "utf8" })) {
    const writer = name.endsWith(".ts") ? writerOf(name) : null;
    if (!writer) continue;
    for (const table of writtenTables(read(`src/${name}`))) {
      if (tables.has(table)) writers.set(table, (writers.get(table) ?? new Set()).add(writer));
    }
  }
  return writers;
}

test("each table has one writer, its owner", () => {
  const found = [...findWriters()].map(([table, writers]) => [table, [...writers].sort().join()]);
  expect(Object.fromEntries(found)).toEqual(owners);
});

test("a statement that writes: its table is found", () => {
  const source = "sql`insert into wallet (id) values (1)`; sql`update only tenant set name = ''`";
  expect(writtenTables(source)).toEqual(["wallet", "tenant"]);
});
