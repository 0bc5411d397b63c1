// Rules of maintenance messages and their recipients in SQL.
import type { NoticeAccount } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import type {
  RuleDraft,
  RuleKind,
  RuleSettings,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

export interface RuleRow extends RuleSettings {
  kind: RuleKind;
  editVersion: number;
  editedAt: string;
  editedBy: string;
}

const ruleColumns = sql`
  kind, is_on, to_caretakers, to_manager, by_console, by_sms,
  to_char(quiet_from, 'HH24:MI') as quiet_from, to_char(quiet_to, 'HH24:MI') as quiet_to,
  calm_minutes, escalate_minutes, edit_version, edited_at, edited_by`;

export function findRules(db: Db, tenantId: number): Promise<RuleRow[]> {
  return db.many(sql`select ${ruleColumns} from maintenance_rule where tenant_id = ${tenantId}`);
}

/** The tenant's rule of this kind, else its general rule (`*`); null if it has neither. */
export function findRuleFor(db: Db, tenantId: number, kind: RuleKind): Promise<RuleRow | null> {
  return db.maybe(sql`
    select ${ruleColumns} from maintenance_rule
    where tenant_id = ${tenantId} and kind in (${kind}, '*')
    order by kind = '*' limit 1`);
}

export function lockRule(db: Db, tenantId: number, kind: RuleKind): Promise<RuleRow | null> {
  return db.maybe(sql`
    select ${ruleColumns} from maintenance_rule
    where tenant_id = ${tenantId} and kind = ${kind} for update`);
}

interface Named extends NoticeAccount {
  kind: RuleKind;
  step: "FIRST" | "ESCALATION";
}

const accountColumns = sql`
  operator.id, operator.display_name as name, operator.user_type, operator.phone <> '' as has_phone,
  operator.disabled_at is not null as is_disabled`;

/** Accounts named by the tenant's rules. */
export function findNamed(db: Db, tenantId: number): Promise<Named[]> {
  return db.many(sql`
    select maintenance_recipient.kind, maintenance_recipient.step, ${accountColumns}
    from maintenance_recipient
    join operator on operator.tenant_id = maintenance_recipient.tenant_id
      and operator.id = maintenance_recipient.operator_id
    where maintenance_recipient.tenant_id = ${tenantId}
    order by operator.display_name, operator.id`);
}

/** Accounts that a rule may name. */
export function findAccounts(db: Db, tenantId: number): Promise<NoticeAccount[]> {
  return db.many(sql`
    select ${accountColumns} from operator
    where operator.tenant_id = ${tenantId} and operator.disabled_at is null
    order by operator.display_name, operator.id`);
}

/** Names of the given accounts, as far as they belong to the tenant. */
export async function findAccountNames(
  db: Db,
  tenantId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db.many<{ id: number; name: string }>(sql`
    select id, display_name as name from operator
    where tenant_id = ${tenantId} and id = any(${[...ids]}::bigint[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** False if another account created a rule of this kind meanwhile (optimistic locking). */
export async function writeRule(
  db: Db,
  at: { tenantId: number; kind: RuleKind; isNew: boolean; editedBy: string },
  rule: RuleDraft,
): Promise<boolean> {
  const { tenantId, kind, isNew, editedBy } = at;
  const count = await db.run(sql`
    insert into maintenance_rule (tenant_id, kind, is_on, to_caretakers, to_manager,
      by_console, by_sms, quiet_from, quiet_to, calm_minutes, escalate_minutes, edited_by)
    values (${tenantId}, ${kind}, ${rule.isOn}, ${rule.toCaretakers}, ${rule.toManager},
      ${rule.byConsole}, ${rule.bySms}, ${rule.quietFrom}::time, ${rule.quietTo}::time,
      ${rule.calmMinutes}, ${rule.escalateMinutes}, ${editedBy})
    on conflict (tenant_id, kind) do update set is_on = excluded.is_on,
      to_caretakers = excluded.to_caretakers, to_manager = excluded.to_manager,
      by_console = excluded.by_console, by_sms = excluded.by_sms,
      quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
      calm_minutes = excluded.calm_minutes, escalate_minutes = excluded.escalate_minutes,
      edit_version = maintenance_rule.edit_version + 1, edited_at = now(),
      edited_by = excluded.edited_by
    where not ${isNew}::boolean`);
  if (count === 0) return false;
  await db.run(sql`
    delete from maintenance_recipient where tenant_id = ${tenantId} and kind = ${kind}`);
  await db.run(sql`
    insert into maintenance_recipient (tenant_id, kind, step, operator_id)
    select ${tenantId}::int, ${kind}::text, 'FIRST', id
    from unnest(${[...rule.recipientIds]}::bigint[]) id
    union all
    select ${tenantId}::int, ${kind}::text, 'ESCALATION', id
    from unnest(${[...rule.escalationIds]}::bigint[]) id`);
  return true;
}

export function deleteRule(db: Db, tenantId: number, kind: RuleKind): Promise<number> {
  return db.run(sql`
    delete from maintenance_rule where tenant_id = ${tenantId} and kind = ${kind}`);
}

export interface Recipient {
  id: number;
  name: string;
  userType: UserType;
  phone: string;
}

export interface Occasion {
  tenantId: number;
  /** Null: the cabinet has no store. */
  storeId: number | null;
}

const recipientColumns = sql`operator.id, operator.display_name as name,
  operator.user_type, operator.phone`;

/** Recipients of a rule at a place; named store-bound accounts only for their own stores. */
export function findRecipients(
  db: Db,
  { tenantId, storeId }: Occasion,
  step: "FIRST" | "ESCALATION",
  rule: RuleSettings & { kind: RuleKind },
): Promise<Recipient[]> {
  const byStore = step === "FIRST";
  return db.many(sql`
    select ${recipientColumns} from operator
    where operator.tenant_id = ${tenantId} and operator.disabled_at is null and (
      (${byStore && rule.toCaretakers}::boolean and exists (
        select from operator_store
        where operator_store.tenant_id = operator.tenant_id
          and operator_store.operator_id = operator.id and operator_store.store_id = ${storeId}))
      or (${byStore && rule.toManager}::boolean and exists (
        select from store
        where store.tenant_id = operator.tenant_id and store.manager_id = operator.id
          and store.id = ${storeId}))
      or (exists (
          select from maintenance_recipient
          where maintenance_recipient.tenant_id = operator.tenant_id
            and maintenance_recipient.operator_id = operator.id
            and maintenance_recipient.kind = ${rule.kind}
            and maintenance_recipient.step = ${step})
        and (not operator.is_store_bound or exists (
          select from visible_store
          where visible_store.tenant_id = operator.tenant_id
            and visible_store.operator_id = operator.id and visible_store.store_id = ${storeId}))))
    order by operator.display_name, operator.id`);
}

/** Fallback recipients: not store-bound, with the permission to change the rules. */
export function findKeepers(db: Db, tenantId: number): Promise<Recipient[]> {
  return db.many(sql`
    select ${recipientColumns} from operator
    where operator.tenant_id = ${tenantId} and operator.disabled_at is null
      and not operator.is_store_bound
      and 'maintenance-message:write' = any(operator.permissions)
    order by operator.display_name, operator.id`);
}

/** The account as a recipient, if it is enabled. */
export function findRecipient(
  db: Db,
  tenantId: number,
  operatorId: number,
): Promise<Recipient | null> {
  return db.maybe(sql`
    select ${recipientColumns} from operator
    where operator.tenant_id = ${tenantId} and operator.id = ${operatorId} and operator.disabled_at is null`);
}
