// Signatures of audit heads and bases: Ed25519 with a key derived from the master key, which the database does not have.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { Vault } from "../../../platform/secrets.ts";

/** PKCS #8 header of an Ed25519 private key (RFC 8410); the 32 bytes of the seed follow. */
const PKCS8_HEADER = Buffer.from("302e020100300506032b657004220420", "hex");

export interface SignedHead {
  tenantId: number;
  /** Day in Shanghai, `2026-05-31`. */
  day: string;
  seq: number;
  /** Hexadecimal. */
  hash: string;
  /** Base64. */
  signature: string;
}

type Head = Omit<SignedHead, "signature">;

/** The last link that was removed from the front of a chain, which begins behind it. */
export type SignedBase = Omit<SignedHead, "day">;
type Base = Omit<SignedBase, "signature">;

function privateKeyOf(vault: Vault) {
  const seed = Buffer.from(vault.derive("audit-head"), "base64url");
  return createPrivateKey({
    key: Buffer.concat([PKCS8_HEADER, seed]),
    format: "der",
    type: "pkcs8",
  });
}

/** The signed text, as documented for those who verify a head by themselves. */
const textOf = ({ tenantId, day, seq, hash }: Head) =>
  Buffer.from(`audit-head ${tenantId} ${day} ${seq} ${hash}`);

const baseTextOf = ({ tenantId, seq, hash }: Base) =>
  Buffer.from(`audit-base ${tenantId} ${seq} ${hash}`);

const signatureOf = (vault: Vault, text: Buffer) =>
  sign(null, text, privateKeyOf(vault)).toString("base64");

function isSigned(vault: Vault, text: Buffer, signature: string): boolean {
  const key = createPublicKey(privateKeyOf(vault));
  return verify(null, text, key, Buffer.from(signature, "base64"));
}

export function signHead(vault: Vault, head: Head): SignedHead {
  return { ...head, signature: signatureOf(vault, textOf(head)) };
}

export function isSignedHead(vault: Vault, { signature, ...head }: SignedHead): boolean {
  return isSigned(vault, textOf(head), signature);
}

export function signBase(vault: Vault, base: Base): SignedBase {
  return { ...base, signature: signatureOf(vault, baseTextOf(base)) };
}

export function isSignedBase(vault: Vault, { signature, ...base }: SignedBase): boolean {
  return isSigned(vault, baseTextOf(base), signature);
}

/** Public key as PEM, by which anybody may verify the heads of this installation. */
export function publicKeyOf(vault: Vault): string {
  return createPublicKey(privateKeyOf(vault)).export({ type: "spki", format: "pem" }).toString();
}

/** Key of the tenant's latest signed head in the file store, whose keys have the shape of a UUID. */
export function headFileKeyOf(tenantId: number): string {
  const digest = createHash("sha256").update(`audit head ${tenantId}`).digest("hex");
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
