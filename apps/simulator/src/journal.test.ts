// Journal durability: SIGKILL, a torn line and compaction.
import { spawn } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { JOURNAL_SIZE } from "@cabinet/link";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileJournal } from "./journal.ts";

const ID = "TEST000001";
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "journal-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function entry(seq: number) {
  return { cmdId: `cmd-${String(seq).padStart(8, "0")}`, seq, stage: "CONFIRMED" as const };
}

/** Child process that appends commands in a loop and prints each acknowledged seq. */
const WRITER = `
  const [module, folder, from] = process.argv.slice(1);
  const { fileJournal } = await import(module);
  const journal = fileJournal(folder, "${ID}");
  await journal.load();
  for (let seq = Number(from); ; seq++) {
    const cmdId = "cmd-" + String(seq).padStart(8, "0");
    await journal.append({ t: "command", entry: { cmdId, seq, stage: "STARTED" } });
    process.stdout.write(seq + "\\n");
  }
`;

/** Runs the writer for `forMs`, kills it, and returns the last acknowledged seq. */
async function writeUntilKilled(from: number, forMs: number): Promise<number> {
  const module = path.join(import.meta.dirname, "journal.ts");
  const args = ["--input-type=module", "-e", WRITER, module, folder, String(from)];
  const writer = spawn(process.execPath, args);
  let said = "";
  writer.stdout.on("data", (bytes) => {
    if (said === "") setTimeout(() => writer.kill("SIGKILL"), forMs);
    said += bytes;
  });
  await new Promise((resolve) => writer.on("close", resolve));
  const lines = said.split("\n").slice(0, -1);
  return Number(lines.at(-1));
}

test("journal: SIGKILL loses no acknowledged record", async () => {
  let next = 1;
  for (let round = 0; round < 5; round++) {
    const safe = await writeUntilKilled(next, 20 + round * 15);
    const { memory } = await fileJournal(folder, ID).load();
    expect(memory.lastSeq).toBeGreaterThanOrEqual(safe);
    expect(memory.lastSeq).toBeLessThanOrEqual(safe + 1);
    expect(memory.journal.length).toBe(Math.min(memory.lastSeq, JOURNAL_SIZE));
    next = memory.lastSeq + 1;
  }
});

test("journal: a torn line is skipped and does not swallow the next record", async () => {
  const journal = fileJournal(folder, ID);
  await journal.load();
  await journal.append({ t: "boot", bootNo: 1 });
  await journal.append({ t: "command", entry: entry(1) });
  await appendFile(path.join(folder, `${ID}.journal`), '{"t":"command","entry":{"cmdId":"cmd-0');
  const again = fileJournal(folder, ID);
  expect((await again.load()).memory.lastSeq).toBe(1);
  await again.append({ t: "command", entry: entry(2) });
  const state = await fileJournal(folder, ID).load();
  expect(state.bootNo).toBe(1);
  expect(state.memory.journal).toEqual([entry(1), entry(2)]);
});

test("journal: compaction keeps the state", async () => {
  const file = path.join(folder, `${ID}.journal`);
  const journal = fileJournal(folder, ID);
  await journal.load();
  await journal.append({ t: "boot", bootNo: 7 });
  await journal.append({ t: "config", version: 3, values: { heartbeatSeconds: 20 } });
  await journal.append({ t: "item", no: 4, item: "PRESENT" });
  const line = (seq: number) => JSON.stringify({ t: "command", entry: entry(seq) });
  const many = Array.from({ length: 3_000 }, (_, at) => line(at + 1)).join("\n");
  await appendFile(file, `${many}\n`);
  const before = (await stat(file)).size;
  const compacted = await fileJournal(folder, ID).load();
  expect((await stat(file)).size).toBeLessThan(before / 10);
  const state = await fileJournal(folder, ID).load();
  expect(state).toEqual(compacted);
  expect(state.bootNo).toBe(7);
  expect(state.config).toMatchObject({ version: 3, values: { heartbeatSeconds: 20 } });
  expect(state.items.get(4)).toBe("PRESENT");
  expect(state.memory.lastSeq).toBe(3_000);
  expect(state.memory.journal).toHaveLength(JOURNAL_SIZE);
});

test("journal: file and folder are readable by the owner only", async () => {
  const journal = fileJournal(path.join(folder, "inner"), ID);
  await journal.load();
  await journal.append({ t: "boot", bootNo: 1 });
  expect((await stat(path.join(folder, "inner"))).mode & 0o777).toBe(0o700);
  const file = path.join(folder, "inner", `${ID}.journal`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, "utf8")).toBe('{"t":"boot","bootNo":1}\n');
});

test("journal: a failed append rejects", async () => {
  const journal = fileJournal(path.join(folder, "gone"), ID);
  await expect(journal.append({ t: "boot", bootNo: 1 })).rejects.toThrow("ENOENT");
});
