// Password hashing: Argon2id (promise A1), two at a time.
import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Share } from "../../../platform/db/admission.rules.ts";
import { Places } from "../../../platform/db/places.ts";

const derive = promisify(argon2);
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const OWN_PATIENCE_MS = 600_000;
/** Sign-ins must not starve other work, and take turns by network. */
const places = new Places(2, OWN_PATIENCE_MS);

/** The server's own work. */
export const ownShare: Share = {
  load: "critical",
  tenant: "server",
  account: "",
  isBounded: false,
};

/** Random, for the one who reads it once and must change it. */
export const makeFirstPassword = (): string => randomBytes(15).toString("base64url");

function deriveBounded(
  message: string,
  nonce: Buffer,
  params: typeof cost,
  share: Share = ownShare,
): Promise<Buffer> {
  return places.use({ share }, () =>
    derive("argon2id", { message, nonce, tagLength: TAG_BYTES, ...params }),
  );
}

/** Hashes a password into a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string, share?: Share): Promise<string> {
  const salt = randomBytes(16);
  const tag = await deriveBounded(password, salt, cost, share);
  const { memory, passes, parallelism } = cost;
  const text = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(tag)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/**
 * Compares in constant time. Without a hash (unknown account) it does the same work and returns
 * false.
 */
export async function verifyPassword(
  password: string,
  hash: string | null,
  share?: Share,
): Promise<boolean> {
  const parts = hash === null ? null : phc.exec(hash);
  if (!parts) {
    await deriveBounded(password, randomBytes(16), cost, share);
    return false;
  }
  const [, memory, passes, parallelism, salt = "", expected = ""] = parts;
  const params = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  const tag = await deriveBounded(password, Buffer.from(salt, "base64"), params, share);
  const wanted = Buffer.from(expected, "base64");
  return tag.length === wanted.length && timingSafeEqual(tag, wanted);
}
