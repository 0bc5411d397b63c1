// Credential file of a cabinet, in the format of its firmware and the simulator.
import type { IssuedSecret } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";

/** `page` is the origin of the console, which is also the server's address for cabinets. */
export function credentialOf(issued: IssuedSecret, page: { origin: string; hostname: string }) {
  const { sn, kid, secret, side, compartments, broker } = issued;
  return {
    server: page.origin,
    mqtt: broker.url ?? `mqtt://${page.hostname}:${broker.port}`,
    cabinets: [{ cabinetId: sn, kid, secret, side, compartments }],
  };
}
