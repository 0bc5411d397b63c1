// What is asked for once a transaction has committed: WeChat is never waited for inside of one.
import type { Db } from "../../platform/db.ts";
import { addJob } from "../../platform/jobs.ts";

export const SEND = "template.send";
export const FETCH_CATALOG = "template.fetchCatalog";

/** All of the tenant's messages that are due; a tenant whose WeChat hangs keeps no other waiting. */
export function sendSoon(db: Db, tenantId: number): Promise<void> {
  return addJob(db, SEND, { tenantId }, `${SEND}:${tenantId}`);
}

export function fetchCatalogSoon(db: Db, tenantId: number): Promise<void> {
  return addJob(db, FETCH_CATALOG, { tenantId }, `${FETCH_CATALOG}:${tenantId}`);
}
