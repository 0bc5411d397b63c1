// PBKDF2-HMAC-SHA-256 (RFC 8018, FIPS 180-4): crypto.subtle is missing on plain HTTP in a local
// network.

/** First 32 bits of a root's fraction, in integers: floating point is not exact enough. */
function rootFraction(prime: number, degree: 2n | 3n): number {
  const shifted = BigInt(prime) << (32n * degree);
  let low = 0n;
  let high = 1n << 40n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** degree <= shifted) low = middle;
    else high = middle - 1n;
  }
  return Number(low & 0xffffffffn) | 0;
}

const primes: number[] = [];
for (let candidate = 2; primes.length < 64; candidate++) {
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
}
const K = Int32Array.from(primes, (prime) => rootFraction(prime, 3n));
const START = Int32Array.from(primes.slice(0, 8), (prime) => rootFraction(prime, 2n));

const schedule = new Int32Array(64);

/** Compresses one block (16 words from `at`) into the state. */
function compress(state: Int32Array, words: Int32Array, at: number): void {
  const w = schedule;
  for (let i = 0; i < 16; i++) w[i] = words[at + i]!;
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = (state[0]! + a) | 0;
  state[1] = (state[1]! + b) | 0;
  state[2] = (state[2]! + c) | 0;
  state[3] = (state[3]! + d) | 0;
  state[4] = (state[4]! + e) | 0;
  state[5] = (state[5]! + f) | 0;
  state[6] = (state[6]! + g) | 0;
  state[7] = (state[7]! + h) | 0;
}

/** Pads `bytes` into words, as if `before` bytes had already been hashed. */
function paddedWords(bytes: Uint8Array, before: number): Int32Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, (before + bytes.length) * 8);
  return Int32Array.from({ length: padded.length / 4 }, (_, i) => view.getInt32(i * 4));
}

function hashInto(state: Int32Array, bytes: Uint8Array, before: number): void {
  const words = paddedWords(bytes, before);
  for (let at = 0; at < words.length; at += 16) compress(state, words, at);
}

function bytesOf(state: Int32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  state.forEach((word, index) => {
    view.setInt32(index * 4, word);
  });
  return bytes;
}

/** State after hashing the block of the key XOR `pad`. */
function keyState(key: Uint8Array, pad: number): Int32Array {
  const block = new Uint8Array(64).fill(pad);
  key.forEach((byte, index) => {
    block[index] = byte ^ pad;
  });
  const view = new DataView(block.buffer);
  const state = START.slice();
  compress(
    state,
    Int32Array.from({ length: 16 }, (_, i) => view.getInt32(i * 4)),
    0,
  );
  return state;
}

/** Derives `length` bytes from a password of at most 64 bytes. */
export function pbkdf2Sha256(
  password: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  length: number,
): Uint8Array<ArrayBuffer> {
  const inner = keyState(password, 0x36);
  const outer = keyState(password, 0x5c);
  const state = new Int32Array(8);
  // A digest after the key's block fills exactly one more, padded block.
  const block = paddedWords(new Uint8Array(32), 64);
  const finish = () => {
    block.set(state);
    state.set(outer);
    compress(state, block, 0);
  };
  const key = new Uint8Array(Math.ceil(length / 32) * 32);
  for (let index = 1; (index - 1) * 32 < length; index++) {
    const first = new Uint8Array(salt.length + 4);
    first.set(salt);
    new DataView(first.buffer).setUint32(salt.length, index);
    state.set(inner);
    hashInto(state, first, 64);
    finish();
    const sum = state.slice();
    for (let round = 1; round < iterations; round++) {
      block.set(state);
      state.set(inner);
      compress(state, block, 0);
      finish();
      for (let i = 0; i < 8; i++) sum[i] = sum[i]! ^ state[i]!;
    }
    key.set(bytesOf(sum), (index - 1) * 32);
  }
  return key.slice(0, length);
}
