// The last backup: its age, missing and changed files, and who may ask.
import { createHash } from "node:crypto";
import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { backupContract } from "@cabinet/contract/operations/backup/backup.contract.ts";
import { afterEach, expect, test } from "vitest";
import { useTestServer } from "../../../../../../tests/support/test-server.ts";
import { MANIFEST } from "../../../backup/manifest.ts";
import { LAST_BACKUP_FILE } from "../../../platform/host-metrics.ts";

const testServer = useTestServer();
const stamp = () => path.join(testServer.dataDir, LAST_BACKUP_FILE);
const folder = () => path.join(testServer.dataDir, "backup-20261122T010203Z");

/** A backup as `back-up.ts` leaves it, of two files. */
async function writeBackup(): Promise<void> {
  await mkdir(path.join(folder(), "postgres"), { recursive: true });
  const files = [];
  for (const [name, text] of [
    ["postgres/PG_VERSION", "18"],
    ["secret.key", "key"],
  ] as const) {
    await writeFile(path.join(folder(), name), text);
    const sha256 = createHash("sha256").update(text).digest("hex");
    files.push({ path: name, size: text.length, sha256 });
  }
  const manifest = { format: 1, keyFingerprint: "f", folders: ["postgres"], files };
  await writeFile(path.join(folder(), MANIFEST), JSON.stringify(manifest));
  await writeFile(stamp(), `${folder()}\n`);
}

afterEach(async () => {
  await rm(stamp(), { force: true });
  await rm(folder(), { recursive: true, force: true });
});

async function look() {
  const { people } = await testServer.makeTenant(1);
  const latest = await testServer.call(backupContract.latest, people[0]);
  const check = await testServer.call(backupContract.check, people[0]);
  return { latest: latest.data, check: check.data };
}

test("none: no time, nothing to check", async () => {
  const { latest, check } = await look();
  expect(latest).toEqual({ takenAt: null, isRecent: false });
  expect(check).toEqual({ problem: "尚无备份", files: 0, summed: 0 });
});

test("fresh and whole: recent, every file counted and summed", async () => {
  await writeBackup();
  const { latest, check } = await look();
  expect(latest.isRecent).toBe(true);
  expect(check).toEqual({ problem: null, files: 2, summed: 2 });
});

test("three days old: no longer recent", async () => {
  await writeBackup();
  // File systems may round to microseconds.
  const at = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 3 * 86_400_000);
  await utimes(stamp(), at, at);
  const { latest } = await look();
  expect(latest).toEqual({ takenAt: at.toISOString(), isRecent: false });
});

test("a missing file, and one of the same size with another content: named", async () => {
  await writeBackup();
  await writeFile(path.join(folder(), "secret.key"), "kex");
  expect((await look()).check.problem).toContain("secret.key");
  await rm(path.join(folder(), "postgres/PG_VERSION"));
  expect((await look()).check.problem).toContain("postgres/PG_VERSION");
});

test("moved away, or taken by another tool: says so", async () => {
  await writeBackup();
  await rm(folder(), { recursive: true });
  expect((await look()).check.problem).toContain(MANIFEST);
  await writeFile(stamp(), "");
  expect((await look()).check.problem).toContain("其他工具");
});

test("access: platform staff only", async () => {
  const { people } = await testServer.makeTenant();
  for (const spec of [backupContract.latest, backupContract.check]) {
    expect((await testServer.call(spec, people[0])).code).not.toBe(0);
  }
});
