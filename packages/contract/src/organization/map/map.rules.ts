// Paths of the map on our own origin: its frame page, and the proxy to the map service.

/** Page for the console's map frame; exists only where a map service is configured. */
export const MAP_FRAME_PATH = "/map";

/**
 * Proxy path, authorised by an account's ticket; the map service requires the last segment's name.
 */
export const MAP_SERVICE_PATH = "/map/{ticket}/_AMapService";

export function mapServicePath(ticket: string): string {
  return MAP_SERVICE_PATH.replace("{ticket}", ticket);
}
