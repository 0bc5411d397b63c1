// Who of several gateways takes which reports from an outside broker.

/**
 * The broker keeps reports for each receiver by its name, whoever it is: so many there are, however
 * many gateways. A client takes its messages one by one, so several share the work.
 */
export const RECEIVERS = 12;

/** The receivers of one gateway, of all that are alive in an order that all know; none when it is not among them. */
export function receiversOf(gatewayId: string, alive: readonly string[]): number[] {
  const at = alive.indexOf(gatewayId);
  if (at < 0) return [];
  return Array.from({ length: RECEIVERS }, (_, no) => no).filter((no) => no % alive.length === at);
}

/** Does what is meant for this gateway: it itself, or in the place of one that is gone the first of all. */
export function speaksFor(
  gatewayId: string,
  meant: string | null,
  alive: readonly string[],
): boolean {
  if (meant !== null && alive.includes(meant)) return meant === gatewayId;
  return meant === gatewayId || alive[0] === gatewayId;
}
