// Selects the map key of a tenant, and signs the tickets by which its accounts use the map service.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Db } from "../../../platform/db/db.ts";
import type { AmapKey } from "../../../platform/env.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { findMapKey } from "../tenant-setting/index.ts";
import { readClaims, TICKET_SECONDS, type TicketClaims, writeClaims } from "./map-ticket.rules.ts";

export class MapSetting {
  readonly #amap: AmapKey | null;
  readonly #secret: string;

  /** `amap`: key of the installation. */
  constructor(amap: AmapKey | null, vault: Vault) {
    this.#amap = amap;
    // Derived from the vault key, so that all processes of one origin accept the same tickets.
    this.#secret = vault.derive("map");
  }

  /** The only place that selects the key: the tenant's own, else the installation's. */
  async keyOf(db: Db, tenantId: number): Promise<AmapKey | null> {
    return (await findMapKey(db, tenantId)) ?? this.#amap;
  }

  issueTicket({ tenantId, operatorId }: Omit<TicketClaims, "expiresAt">): string {
    const expiresAt = Math.floor(Date.now() / 1000) + TICKET_SECONDS;
    const claims = writeClaims({ tenantId, operatorId, expiresAt });
    return `${claims}.${this.#sign(claims)}`;
  }

  /** Claims of a ticket; null if the signature is wrong or it has expired. */
  readTicket(ticket: string): TicketClaims | null {
    const end = ticket.lastIndexOf(".");
    const claims = ticket.slice(0, end);
    const given = Buffer.from(ticket.slice(end + 1));
    const wanted = Buffer.from(this.#sign(claims));
    const isOurs = given.length === wanted.length && timingSafeEqual(given, wanted);
    return isOurs ? readClaims(claims, Date.now()) : null;
  }

  #sign(claims: string): string {
    return createHmac("sha256", this.#secret).update(claims).digest("base64url").slice(0, 32);
  }
}
