// Queues the network jobs of message templates: no transaction waits for WeChat.
import type { Db } from "../../../platform/db/db.ts";
import { addJob } from "../../../platform/jobs/jobs.ts";

export const SEND = "template.send";
export const FETCH_CATALOG = "template.fetchCatalog";

/** A run for all due messages. Releases before 0146 send those of this tenant. */
export function sendSoon(db: Db, tenantId: number): Promise<void> {
  return addJob(db, SEND, { tenantId }, `${SEND}:${tenantId}`);
}

export function fetchCatalogSoon(db: Db, tenantId: number): Promise<void> {
  return addJob(db, FETCH_CATALOG, { tenantId }, `${FETCH_CATALOG}:${tenantId}`);
}
