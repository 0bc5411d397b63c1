// Distributes the receivers of an outside broker among the gateways.

/**
 * Number of receivers, independent of the number of gateways: the broker queues reports per
 * receiver name. A client processes its messages one by one, so several share the work.
 */
export const RECEIVERS = 12;

/**
 * Receivers of one gateway, from all gateways alive in an order that all know; none when it is not
 * among them.
 */
export function receiversOf(gatewayId: string, alive: readonly string[]): number[] {
  const at = alive.indexOf(gatewayId);
  if (at < 0) return [];
  return Array.from({ length: RECEIVERS }, (_, no) => no).filter((no) => no % alive.length === at);
}

/**
 * True if this gateway handles work meant for `meant`: its own, or, as the first one alive, that of
 * a gateway that is gone.
 */
export function speaksFor(
  gatewayId: string,
  meant: string | null,
  alive: readonly string[],
): boolean {
  if (meant !== null && alive.includes(meant)) return meant === gatewayId;
  return meant === gatewayId || alive[0] === gatewayId;
}
