// Firmware: comparable versions, and the maker's signature of an image.
import { createPublicKey, sign, verify } from "node:crypto";

/** `MAJOR.MINOR.PATCH`, with `-suffix` for pre-releases. */
const FIRMWARE_VERSION_PATTERN = "^\\d{1,5}\\.\\d{1,5}\\.\\d{1,5}(-[0-9A-Za-z.]{1,20})?$";
const versionRegExp = new RegExp(FIRMWARE_VERSION_PATTERN);

/** True for texts such as `1.2.0` or `1.2.0-rc.1`. */
export function isFirmwareVersion(text: string): boolean {
  return versionRegExp.test(text);
}

/**
 * Less than 0 if `a` is older than `b`. Numbers compare as numbers; `1.2.0-rc.1` is older than
 * `1.2.0`, suffixes compare as text. An invalid version is older than every valid one.
 */
export function compareVersions(a: string, b: string): number {
  const [known, other] = [isFirmwareVersion(a), isFirmwareVersion(b)];
  if (!known || !other) return Number(known) - Number(other);
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const [at, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.suffix === right.suffix) return 0;
  if (left.suffix === "" || right.suffix === "") return left.suffix === "" ? 1 : -1;
  return left.suffix < right.suffix ? -1 : 1;
}

function partsOf(version: string): { numbers: number[]; suffix: string } {
  const at = version.indexOf("-");
  const [core, suffix] = at < 0 ? [version, ""] : [version.slice(0, at), version.slice(at + 1)];
  return { numbers: core.split(".").map(Number), suffix };
}

/**
 * True if `signature` (base64url) is the maker's Ed25519 signature of the 32 bytes of the image's
 * SHA-256 (not of its hex digits). `publicKey` is PEM (SubjectPublicKeyInfo). Never throws.
 */
export function verifyFirmware(sha256: string, signature: string, publicKey: string): boolean {
  try {
    const key = createPublicKey(publicKey);
    if (key.asymmetricKeyType !== "ed25519") return false;
    const bytes = Buffer.from(signature, "base64url");
    return verify(null, Buffer.from(sha256, "hex"), key, bytes);
  } catch {
    return false;
  }
}

/** Signs as the maker does: `privateKey` is PEM (PKCS #8). Throws if it is not an Ed25519 key. */
export function signFirmware(sha256: string, privateKey: string): string {
  return sign(null, Buffer.from(sha256, "hex"), privateKey).toString("base64url");
}
