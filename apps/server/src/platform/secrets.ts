// Secrets at rest: master keys outside the database, AES-256-GCM for values in it, rotation while running.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  randomUUID,
} from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chown, link, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { SettingsError } from "./env.ts";

const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Master keys, 32 bytes each: the first seals, all open, the last is the root from which secrets are derived. */
const KEY_FILE = "secret.key";
/** Keys that open already and do not seal yet, while a rotation reaches every machine. */
const NEXT_FILE = "secret.key.next";
const REREAD_MS = 10_000;

const keyIdOf = (key: Buffer) =>
  createHash("sha256").update("key id").update(key).digest().subarray(0, KEY_ID_BYTES);

/** Splits a key file; throws on a wrong length. */
export function keysIn(bytes: Buffer): Buffer[] {
  if (bytes.length === 0 || bytes.length % KEY_BYTES !== 0) {
    throw new SettingsError(
      `主密钥长度不对：应为 ${KEY_BYTES} 字节，轮换后为其整数倍，现在是 ${bytes.length} 字节`,
    );
  }
  return Array.from({ length: bytes.length / KEY_BYTES }, (_, place) =>
    bytes.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES),
  );
}

interface Keyring {
  /** The first one seals. */
  keys: Buffer[];
  /** Open only. */
  next: Buffer[];
}

export class Vault {
  #ring: Keyring;
  readonly #root: Buffer;
  readonly #reread: () => Keyring | null;

  /** `bytes` are one or several keys; `reread` returns them as they are now, null if they cannot be read. */
  constructor(bytes: Buffer, reread: () => Keyring | null = () => null) {
    this.#ring = { keys: keysIn(bytes), next: [] };
    this.#root = this.#ring.keys.at(-1) as Buffer;
    this.#reread = reread;
    this.refresh();
  }

  /** Takes on keys that were added meanwhile; a ring with another root belongs to another installation. */
  refresh(): void {
    const ring = this.#reread();
    if (ring?.keys.at(-1)?.equals(this.#root)) this.#ring = ring;
  }

  /** Derives a secret for one purpose, the same in every process, and the same after a rotation. */
  derive(purpose: string): string {
    return Buffer.from(hkdfSync("sha256", this.#root, "", purpose, KEY_BYTES)).toString(
      "base64url",
    );
  }

  /**
   * Nonce, tag and ciphertext in one buffer; `owner` (additional data) binds it to its row. After a rotation the key's
   * id stands before them: the release before reads values of an installation that never rotated.
   */
  seal(plain: string, owner: string): Buffer {
    const [key] = this.#ring.keys as [Buffer];
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(owner));
    const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
    const id = this.currentKeyId ?? Buffer.alloc(0);
    return Buffer.concat([id, nonce, cipher.getAuthTag(), body]);
  }

  /** First bytes of values that `seal` makes now; null before the first rotation. */
  get currentKeyId(): Buffer | null {
    const [key, ...older] = this.#ring.keys as [Buffer, ...Buffer[]];
    return older.length > 0 ? keyIdOf(key) : null;
  }

  /** Throws when the buffer was altered, belongs to another owner, or was sealed by a key that is not here. */
  open(sealed: Buffer, owner: string): string {
    try {
      return this.#open(sealed, owner);
    } catch (error) {
      // Another process may have taken on a key before this one looked.
      const before = this.#ring;
      this.refresh();
      if (this.#ring === before) throw error;
      return this.#open(sealed, owner);
    }
  }

  #open(sealed: Buffer, owner: string): string {
    const { keys, next } = this.#ring;
    const id = sealed.subarray(0, KEY_ID_BYTES);
    const named = [...keys, ...next].find((key) => keyIdOf(key).equals(id));
    if (named) {
      try {
        return decrypt(named, sealed.subarray(KEY_ID_BYTES), owner);
      } catch {
        // A nonce may begin like a key's id.
      }
    }
    // Values without an id are older than the first rotation, so the root sealed them.
    return decrypt(this.#root, sealed, owner);
  }
}

function decrypt(key: Buffer, sealed: Buffer, owner: string): string {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(owner))
    .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
}

interface VaultOptions {
  mayMake?: boolean;
  /** Keys from the environment; null reads `secret.key` of the data folder. */
  keys?: Buffer | null;
}

/**
 * Opens the vault with the given keys or those of the data folder, whose `secret.key` (mode 0600) is created if it is
 * missing and `mayMake`. It is written aside and linked when complete: processes that start together get the same one.
 */
export async function openVault(
  dataDir: string,
  { mayMake = true, keys = null }: VaultOptions = {},
): Promise<Vault> {
  const file = path.join(dataDir, KEY_FILE);
  const found = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (keys) {
    const isOther =
      found &&
      !keysIn(found)
        .at(-1)
        ?.equals(keysIn(keys).at(-1) as Buffer);
    if (isOther) {
      throw new SettingsError(
        `SECRET_KEY 与 ${file} 不是同一个系统的主密钥：请删除写错的一个，不要两个都丢掉`,
      );
    }
    return new Vault(keys);
  }
  if (found) return watched(found, dataDir);
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
  return watched(await readFile(file), dataDir);
}

/** Rereads the files from time to time, so that a rotation needs no restart. */
function watched(bytes: Buffer, dataDir: string): Vault {
  const vault = new Vault(bytes, () => {
    try {
      const next = path.join(dataDir, NEXT_FILE);
      return {
        keys: keysIn(readFileSync(path.join(dataDir, KEY_FILE))),
        next: existsSync(next) ? keysIn(readFileSync(next)) : [],
      };
    } catch {
      return null;
    }
  });
  setInterval(() => vault.refresh(), REREAD_MS).unref();
  return vault;
}

/** Begins a rotation: writes a ring with a new first key as `secret.key.next`, which only opens. */
export async function prepareKey(dataDir: string): Promise<string> {
  const file = path.join(dataDir, KEY_FILE);
  const next = path.join(dataDir, NEXT_FILE);
  if (existsSync(next)) {
    throw new SettingsError(`${next} 已经存在：上一次轮换还没有完成，请先执行 activate`);
  }
  const ring = await readFile(file).catch(() => {
    throw new SettingsError(`${dataDir} 里没有 ${KEY_FILE}，或当前账户读不到它`);
  });
  keysIn(ring);
  const draft = `${next}.${randomUUID()}`;
  const { uid, gid } = await stat(file);
  await writeFile(draft, Buffer.concat([randomBytes(KEY_BYTES), ring]), {
    mode: 0o600,
    flush: true,
  });
  // Run by root, the service's account must still be able to read it.
  await chown(draft, uid, gid);
  await rename(draft, next);
  return next;
}

/** Completes a rotation: the prepared ring becomes `secret.key`, whose first key seals from now on. */
export async function activateKey(dataDir: string): Promise<void> {
  const file = path.join(dataDir, KEY_FILE);
  const next = path.join(dataDir, NEXT_FILE);
  const prepared = await readFile(next).catch(() => {
    throw new SettingsError(`没有 ${next}：请先执行 prepare`);
  });
  if (
    !keysIn(prepared)
      .at(-1)
      ?.equals(keysIn(await readFile(file)).at(-1) as Buffer)
  ) {
    throw new SettingsError(`${next} 不是由 ${file} 轮换而来`);
  }
  await rename(next, file);
  const folder = await open(dataDir, "r");
  await folder.sync().finally(() => folder.close());
}
