// WeChat Pay's platform certificates by merchant: their keys sign what the WeChat Pay public key does not.
import { type KeyObject, X509Certificate } from "node:crypto";

/** Strangers choose the serial of a notice: an unknown one causes one request in this time. */
const ASK_AGAIN_MS = 60_000;

export interface PlatformCertificate {
  /** Upper-case hexadecimal. */
  serial: string;
  publicKey: KeyObject;
  startsAt: number;
  endsAt: number;
}

/** Throws if the text is no certificate. */
export function readPlatformCertificate(pem: string): PlatformCertificate {
  const { serialNumber, publicKey, validFrom, validTo } = new X509Certificate(pem);
  return {
    serial: serialNumber,
    publicKey,
    startsAt: Date.parse(validFrom),
    endsAt: Date.parse(validTo),
  };
}

export function isValid({ startsAt, endsAt }: PlatformCertificate): boolean {
  return startsAt <= Date.now() && Date.now() < endsAt;
}

/** Certificates of one merchant, fetched when a serial is unknown. */
export class MerchantCertificates {
  #bySerial = new Map<string, PlatformCertificate>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #asked: Promise<void> = Promise.resolve();

  /** Null: no valid certificate has this serial, as far as WeChat said within the last minute. */
  async find(serial: string, ask: () => Promise<PlatformCertificate[]>): Promise<KeyObject | null> {
    const known = this.#validKey(serial);
    if (known) return known;
    if (performance.now() - this.#askedAt >= ASK_AGAIN_MS) {
      this.#askedAt = performance.now();
      this.#asked = ask().then((certificates) => {
        this.#bySerial = new Map(certificates.map((given) => [given.serial, given]));
      });
      // Each caller awaits the same promise; without one, a failure must not end the process.
      this.#asked.catch(() => {});
    }
    await this.#asked;
    return this.#validKey(serial);
  }

  #validKey(serial: string): KeyObject | null {
    const certificate = this.#bySerial.get(serial.toUpperCase());
    return certificate && isValid(certificate) ? certificate.publicKey : null;
  }
}

/** Certificates of all merchants; a changed setting begins anew. */
export class PlatformCertificates {
  readonly #known = new Map<number, { editVersion: number; certificates: MerchantCertificates }>();

  of({ tenantId, editVersion }: { tenantId: number; editVersion: number }): MerchantCertificates {
    const known = this.#known.get(tenantId);
    if (known?.editVersion === editVersion) return known.certificates;
    const certificates = new MerchantCertificates();
    this.#known.set(tenantId, { editVersion, certificates });
    return certificates;
  }
}
