// Secrets at rest: one master key beside the data, AES-256-GCM for what the database keeps.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class Vault {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    if (key.length !== KEY_BYTES) throw new Error("主密钥长度不对：secret.key 应为 32 字节");
    this.#key = key;
  }

  /** A secret for one purpose, the same in every process that has the master key. */
  derive(purpose: string): string {
    return Buffer.from(hkdfSync("sha256", this.#key, "", purpose, KEY_BYTES)).toString("base64url");
  }

  /** nonce, tag and ciphertext in one buffer; `owner` binds it to its row. */
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

/** Reads `secret.key` of the data folder, or makes it (mode 0600) where there is none. */
export async function openVault(dataDir: string): Promise<Vault> {
  const file = path.join(dataDir, "secret.key");
  await mkdir(dataDir, { recursive: true });
  try {
    const handle = await open(file, "wx", 0o600);
    const key = randomBytes(KEY_BYTES);
    await handle.writeFile(key);
    await handle.sync();
    await handle.close();
    return new Vault(key);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return new Vault(await readFile(file));
  }
}
