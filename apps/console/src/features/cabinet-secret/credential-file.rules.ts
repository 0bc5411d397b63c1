// The credential file of a cabinet, as its firmware and the simulator read it.
import type { IssuedSecret } from "@cabinet/contract/cabinet-secret/cabinet-secret.contract.ts";

/** `page` is where the console itself was loaded from: cabinets find the server there too. */
export function credentialOf(issued: IssuedSecret, page: { origin: string; hostname: string }) {
  const { sn, kid, secret, side, compartments, broker } = issued;
  return {
    server: page.origin,
    mqtt: broker.url ?? `mqtt://${page.hostname}:${broker.port}`,
    cabinets: [{ cabinetId: sn, kid, secret, side, compartments }],
  };
}
