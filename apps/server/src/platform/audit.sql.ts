// The audit log: one entry for each writing call, in the transaction of the change itself.
import { maskPhones } from "@cabinet/contract/kit/phone.rules.ts";
import { scrubbed } from "./audit.rules.ts";
import type { AuditNote, Origin } from "./context.ts";
import type { Db } from "./db/db.ts";
import { sql } from "./db/sql.ts";

export interface AuditActor {
  tenantId: number;
  /** The account's own tenant, during an impersonation of this one. */
  homeTenantId?: number;
  /** Null for an actor without an account, such as a cabinet. */
  operatorId: number | null;
  username: string;
}

export async function insertAuditEntry(
  db: Db,
  actor: AuditActor,
  call: { call: string; summary: string },
  origin: Pick<Origin, "requestId" | "address"> | null,
  note: AuditNote,
): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(scrubbed(value)));
  const text = (value?: string) => (value === undefined ? null : maskPhones(value));
  await db.run(sql`
    insert into audit_log (tenant_id, actor_tenant_id, actor_id, actor_name, call, summary, target,
      reason, before, after, address, request_id)
    values (${note.tenantId ?? actor.tenantId}, ${actor.homeTenantId ?? actor.tenantId}, ${actor.operatorId},
      ${actor.username}, ${call.call}, ${call.summary}, ${text(note.target)},
      ${text(note.reason)}, ${json(note.before)}, ${json(note.after)},
      ${origin?.address ?? null}, ${origin?.requestId ?? null})`);
}
