// Secrets at rest: a master key in the data folder, AES-256-GCM for values in the database.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { SettingsError } from "./env.ts";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class Vault {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    if (key.length !== KEY_BYTES) throw new Error("主密钥长度不对：secret.key 应为 32 字节");
    this.#key = key;
  }

  /** Derives a secret for one purpose, the same in every process that has the master key. */
  derive(purpose: string): string {
    return Buffer.from(hkdfSync("sha256", this.#key, "", purpose, KEY_BYTES)).toString("base64url");
  }

  /** Nonce, tag and ciphertext in one buffer; `owner` (additional data) binds it to its row. */
  seal(plain: string, owner: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce).setAAD(Buffer.from(owner));
    const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }

  /** Throws when the buffer was altered or belongs to another owner. */
  open(sealed: Buffer, owner: string): string {
    const decipher = createDecipheriv("aes-256-gcm", this.#key, sealed.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(owner))
      .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  }
}

/**
 * Reads `secret.key` of the data folder, or creates it (mode 0600) if it is missing and `mayMake`. It is written aside
 * and linked when complete: processes that start together all get the same one.
 */
export async function openVault(
  dataDir: string,
  { mayMake = true }: { mayMake?: boolean } = {},
): Promise<Vault> {
  const file = path.join(dataDir, "secret.key");
  const found = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (found) return new Vault(found);
  if (!mayMake) {
    throw new SettingsError(
      `数据库里已有数据，而 ${dataDir} 里没有主密钥 secret.key：请从已经在运行的机器复制过来，或从备份中取回`,
    );
  }
  await mkdir(dataDir, { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return new Vault(await readFile(file));
}
