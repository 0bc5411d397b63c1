// Maker of the demo's cabinets: a key pair of this installation, so that its owner can sign firmware too.
import { createPrivateKey, createPublicKey } from "node:crypto";
import type { Vault } from "../../platform/secrets.ts";

/** File in the data folder with the private key that a real maker would keep secret. */
export const MAKER_KEY_FILE = "demo-maker-key.json";

/** PKCS #8 prefix before the 32 bytes of an Ed25519 key. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

export interface DemoMaker {
  /** PEM. */
  publicKey: string;
  privateKey: string;
}

export function demoMaker(vault: Vault): DemoMaker {
  const seed = Buffer.from(vault.derive("demo-maker"), "base64url");
  const der = Buffer.concat([PKCS8_HEAD, seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return {
    publicKey: String(createPublicKey(key).export({ type: "spki", format: "pem" })),
    privateKey: String(key.export({ type: "pkcs8", format: "pem" })),
  };
}
