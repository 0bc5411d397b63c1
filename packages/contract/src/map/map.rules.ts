// Where the map lives on our own origin: the page of its frame, and the way to the map service.

/** The page that the console shows in a frame; it is there only where a map service is set up. */
export const MAP_FRAME_PATH = "/map";

/** Behind the ticket of an account; the map service wants the last part to be named so. */
export const MAP_SERVICE_PATH = "/map/{ticket}/_AMapService";

export function mapServicePath(ticket: string): string {
  return MAP_SERVICE_PATH.replace("{ticket}", ticket);
}
