// Password hashing: Argon2id (promise A1), at most two at a time so that sign-ins cannot starve
// other work.
import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(argon2);
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const MAX_RUNNING = 2;

let running = 0;
const waiting: (() => void)[] = [];

async function deriveBounded(message: string, nonce: Buffer, params: typeof cost): Promise<Buffer> {
  if (running >= MAX_RUNNING) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await derive("argon2id", { message, nonce, tagLength: TAG_BYTES, ...params });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** Hashes a password into a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await deriveBounded(password, salt, cost);
  const { memory, passes, parallelism } = cost;
  const text = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(tag)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/**
 * Compares in constant time. Without a hash (unknown account) it does the same work and returns
 * false.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = hash === null ? null : phc.exec(hash);
  if (!parts) {
    await deriveBounded(password, randomBytes(16), cost);
    return false;
  }
  const [, memory, passes, parallelism, salt = "", expected = ""] = parts;
  const tag = await deriveBounded(password, Buffer.from(salt, "base64"), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  const wanted = Buffer.from(expected, "base64");
  return tag.length === wanted.length && timingSafeEqual(tag, wanted);
}
