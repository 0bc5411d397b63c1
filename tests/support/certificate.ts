// Generates a self-signed X.509 certificate with its key, as merchants and servers have one.
import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";

export interface Identity {
  privateKey: KeyObject;
  publicKey: KeyObject;
  privatePem: string;
  publicPem: string;
  certificate: string;
  /** Hexadecimal, as the merchant platform shows it. */
  serial: string;
}

const SHA256_WITH_RSA = Buffer.from("300d06092a864886f70d01010b0500", "hex");

/** DER encoding of one ASN.1 element. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size =
    length < 128
      ? Buffer.from([length])
      : length < 256
        ? Buffer.from([0x81, length])
        : Buffer.from([0x82, length >> 8, length & 255]);
  return Buffer.concat([Buffer.from([tag]), size, body]);
}

const utcTime = (at: Date) =>
  der(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, "").slice(2, 14)}Z`));

function named(text: string): Buffer {
  const commonName = Buffer.from("0603550403", "hex");
  return der(0x30, der(0x31, der(0x30, commonName, der(0x0c, Buffer.from(text)))));
}

const DAY_MS = 86_400_000;

/** Subject alternative name of this machine, which clients of a server check. */
const LOOPBACK_NAME = der(
  0xa3,
  der(
    0x30,
    der(
      0x30,
      Buffer.from("0603551d11", "hex"),
      der(0x04, der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])))),
    ),
  ),
);

/** Writes certificate and key of a server on this machine into `folder`. */
export function writeTlsFiles(folder: string, commonName = "127.0.0.1") {
  const { certificate, privatePem } = makeIdentity(0x51, 900, commonName, LOOPBACK_NAME);
  const files = {
    certFile: path.join(folder, "server.pem"),
    keyFile: path.join(folder, "server.key"),
  };
  writeFileSync(files.certFile, certificate);
  writeFileSync(files.keyFile, privatePem, { mode: 0o600 });
  return files;
}

export function makeIdentity(
  serialByte = 0x51,
  daysLeft = 900,
  commonName = "merchant",
  extensions: Buffer = Buffer.alloc(0),
): Identity {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const serial = Buffer.from([serialByte, 0xa1, 0xb2, 0xc3, 0xd4, 0xe5, 0xf6, 0x07]);
  const name = named(commonName);
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    SHA256_WITH_RSA,
    name,
    der(
      0x30,
      utcTime(new Date(Date.now() - 1_000 * DAY_MS)),
      utcTime(new Date(Date.now() + daysLeft * DAY_MS)),
    ),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    extensions,
  );
  const signature = createSign("RSA-SHA256").update(body).sign(privateKey);
  const whole = der(0x30, body, SHA256_WITH_RSA, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    privateKey,
    publicKey,
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    serial: serial.toString("hex").toUpperCase(),
  };
}
