// Vault: sealed values, key ids, rotation while processes run, keys from the environment.
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSettings, SettingsError } from "./env.ts";
import { activateKey, openVault, prepareKey, Vault } from "./secrets.ts";

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), "vault-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test("sealed values: opened for their owner only, refused when altered", () => {
  const vault = new Vault(randomBytes(32));
  const sealed = vault.seal("密钥", "owner 1");
  expect(vault.open(sealed, "owner 1")).toBe("密钥");
  expect(() => vault.open(sealed, "owner 2")).toThrow();
  const altered = Buffer.from(sealed);
  altered.writeUInt8(altered.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
  expect(() => vault.open(altered, "owner 1")).toThrow();
});

test("key ids: a value names its key, and one from before the first rotation is opened by the root", () => {
  const [old, fresh, newest] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const before = new Vault(old);
  const once = new Vault(Buffer.concat([fresh, old]));
  const twice = new Vault(Buffer.concat([newest, fresh, old]));
  const [first, second, third] = [before, once, twice].map((vault) => vault.seal("text", "me"));
  for (const sealed of [first, second, third] as Buffer[]) {
    expect(twice.open(sealed, "me")).toBe("text");
  }
  expect(once.open(first as Buffer, "me")).toBe("text");
  expect(() => before.open(second as Buffer, "me")).toThrow();
  // The release before reads an installation that never rotated.
  expect(second?.length).toBe((first?.length ?? 0) + 4);
});

test("derived secrets: stay the same, so that codes and signatures outlive a rotation", () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  expect(new Vault(Buffer.concat([fresh, old])).derive("pickup-code")).toBe(
    new Vault(old).derive("pickup-code"),
  );
});

test("rotation: running processes open at every step, whichever takes on the new key first", async () => {
  const first = await openVault(dataDir);
  const second = await openVault(dataDir);
  const old = first.seal("old", "me");
  await prepareKey(dataDir);
  await expect(prepareKey(dataDir)).rejects.toThrow("上一次轮换还没有完成");
  expect((await stat(path.join(dataDir, "secret.key.next"))).mode & 0o777).toBe(0o600);
  first.refresh();
  expect(second.open(first.seal("prepared", "me"), "me")).toBe("prepared");
  await activateKey(dataDir);
  first.refresh();
  // The second has not looked at the files yet.
  expect(second.open(first.seal("new", "me"), "me")).toBe("new");
  expect(first.open(old, "me")).toBe("old");
  expect(first.open(second.seal("late", "me"), "me")).toBe("late");
  const started = await openVault(dataDir);
  expect(started.open(first.seal("new", "me"), "me")).toBe("new");
  expect(started.derive("x")).toBe(first.derive("x"));
  expect((await readFile(path.join(dataDir, "secret.key"))).length).toBe(64);
  await expect(activateKey(dataDir)).rejects.toThrow("请先执行 prepare");
});

test("rotation: a machine that has only the prepared file opens what another seals by it", async () => {
  const other = await mkdtemp(path.join(os.tmpdir(), "vault-"));
  await writeFile(path.join(other, "secret.key"), await readFile(path.join(dataDir, "secret.key")));
  const waiting = await openVault(other);
  const next = await prepareKey(dataDir);
  await writeFile(path.join(other, "secret.key.next"), await readFile(next));
  await activateKey(dataDir);
  const ahead = await openVault(dataDir);
  expect(waiting.open(ahead.seal("ahead", "me"), "me")).toBe("ahead");
  expect(ahead.open(waiting.seal("behind", "me"), "me")).toBe("behind");
  await rm(other, { recursive: true });
});

test("keys of another installation: neither taken on while running nor accepted from the environment", async () => {
  const running = await openVault(dataDir);
  const sealed = running.seal("text", "me");
  const file = path.join(dataDir, "secret.key");
  const kept = await readFile(file);
  await writeFile(file, randomBytes(32));
  running.refresh();
  expect(running.open(sealed, "me")).toBe("text");
  await writeFile(file, kept);
  await expect(openVault(dataDir, { keys: randomBytes(32) })).rejects.toThrow(SettingsError);
  expect((await openVault(dataDir, { keys: kept })).open(sealed, "me")).toBe("text");
});

test("environment: keys and settings are read from a variable or a file, not from both", async () => {
  const key = await readFile(path.join(dataDir, "secret.key"));
  expect(readSettings({ SECRET_KEY: key.toString("base64") }).secretKey).toEqual(key);
  const file = path.join(dataDir, "key.txt");
  await writeFile(file, `${key.toString("base64url")}\n`);
  expect(readSettings({ SECRET_KEY_FILE: file }).secretKey).toEqual(key);
  expect(() => readSettings({ SECRET_KEY_FILE: file, SECRET_KEY: "x" })).toThrow("只能设置一个");
});
