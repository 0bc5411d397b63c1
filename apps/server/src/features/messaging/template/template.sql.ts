// SQL for message templates and the data a message is rendered from.
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import type { SmsTemplate } from "@cabinet/contract/messaging/template/sms-template.rules.ts";
import type { SubscribeTemplate } from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import { type Plan, scenarioSpecs } from "@cabinet/contract/messaging/template/template.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

/** Key of a template: a scene on one side, or on both. */
export interface TemplateKey {
  tenantId: number;
  scene: MessageScenario;
  side: Side | "BOTH";
}

/** `side` is ignored for scenes shared by both sides. */
export function keyOf(tenantId: number, scene: MessageScenario, side: Side | null): TemplateKey {
  if (scenarioSpecs[scene].isShared) return { tenantId, scene, side: "BOTH" };
  if (side === null) throw new Error(`${scene} needs a side`);
  return { tenantId, scene, side };
}

export interface TemplateRow {
  scene: MessageScenario;
  plan: Plan;
  sms: SmsTemplate | null;
  subscribe: SubscribeTemplate | null;
  subscribeProblem: string;
  subscribeProblemAt: string | null;
  editVersion: number;
  editedAt: string;
  editedBy: string;
}

const smsOf = (t: ReturnType<typeof sql>) => sql`
  case when ${t}.sms_text is not null then jsonb_build_object('text', ${t}.sms_text,
    'templateCode', ${t}.sms_code, 'placeholders', ${t}.sms_placeholders) end`;
const subscribeOf = (t: ReturnType<typeof sql>) => sql`
  case when ${t}.subscribe_id is not null then jsonb_build_object('templateId', ${t}.subscribe_id,
    'title', ${t}.subscribe_title, 'page', ${t}.subscribe_page,
    'keywords', ${t}.subscribe_keywords) end`;

const template = sql`template`;
const columns = sql`
  template.scene, template.plan, ${smsOf(template)} as sms, ${subscribeOf(template)} as subscribe,
  template.problem as subscribe_problem, template.problem_at as subscribe_problem_at,
  template.edit_version, template.edited_at, template.edited_by`;

/** Templates that the tenant saved for this side and for both sides. */
export function findTemplates(db: Db, tenantId: number, side: Side): Promise<TemplateRow[]> {
  return db.many(sql`
    select ${columns} from message_template template
    where template.tenant_id = ${tenantId} and template.side in (${side}, 'BOTH')`);
}

/** Platform texts, readable by every tenant. */
export function findPlatformTexts(
  db: Db,
  keys: readonly TemplateKey[],
): Promise<{ scene: MessageScenario; sms: SmsTemplate }[]> {
  return db.many(sql`
    select input.scene, jsonb_build_object('text', platform_sms.sms_text, 'templateCode',
      platform_sms.sms_code,
      'placeholders', platform_sms.sms_placeholders) as sms
    from unnest(${keys.map(({ scene }) => scene)}::text[], ${keys.map(({ side }) => side)}::text[])
      input (scene, side)
    cross join lateral find_platform_sms(input.scene, input.side) platform_sms`);
}

/**
 * Current template under an advisory lock, which also serializes two first saves of the same key.
 */
export async function lockTemplate(db: Db, key: TemplateKey): Promise<TemplateRow | null> {
  const { tenantId, scene, side } = key;
  await db.run(sql`
    select pg_advisory_xact_lock(hashtext(${`message template ${scene} ${side}`}), ${tenantId})`);
  return db.maybe(sql`
    select ${columns} from message_template template
    where template.tenant_id = ${tenantId} and template.scene = ${scene} and template.side = ${side}`);
}

/** Saves the template and clears the earlier problem reported by WeChat. */
export async function writeTemplate(
  db: Db,
  { tenantId, scene, side }: TemplateKey,
  v: Pick<TemplateRow, "plan" | "sms" | "subscribe" | "editedBy">,
): Promise<void> {
  await db.run(sql`
    insert into message_template as template (tenant_id, scene, side, plan, sms_text, sms_code,
      sms_placeholders, subscribe_id, subscribe_title, subscribe_page, subscribe_keywords, edited_by)
    values (${tenantId}, ${scene}, ${side}, ${v.plan}, ${v.sms?.text ?? null},
      ${v.sms?.templateCode ?? ""}, ${JSON.stringify(v.sms?.placeholders ?? [])},
      ${v.subscribe?.templateId ?? null}, ${v.subscribe?.title ?? ""}, ${v.subscribe?.page ?? ""},
      ${JSON.stringify(v.subscribe?.keywords ?? [])}, ${v.editedBy})
    on conflict (tenant_id, scene, side) do update set plan = excluded.plan,
      sms_text = excluded.sms_text, sms_code = excluded.sms_code,
      sms_placeholders = excluded.sms_placeholders, subscribe_id = excluded.subscribe_id,
      subscribe_title = excluded.subscribe_title, subscribe_page = excluded.subscribe_page,
      subscribe_keywords = excluded.subscribe_keywords, problem = '', problem_at = null,
      edit_version = template.edit_version + 1, edited_at = now(), edited_by = excluded.edited_by`);
}

export async function deleteTemplate(
  db: Db,
  { tenantId, scene, side }: TemplateKey,
): Promise<void> {
  await db.run(sql`
    delete from message_template
    where tenant_id = ${tenantId} and scene = ${scene} and side = ${side}`);
}

/** Problem of the template behind a message, if still configured; empty clears it. */
export async function writeProblem(
  db: Db,
  { tenantId, templateId }: { tenantId: number; templateId: string },
  problem: string,
): Promise<void> {
  await db.run(sql`
    update message_template set problem = ${problem},
      problem_at = case when ${problem !== ""}::boolean then now() end
    where tenant_id = ${tenantId} and subscribe_id = ${templateId}
      and (problem <> '' or ${problem !== ""}::boolean)`);
}

export interface Sender {
  tenant: string;
  servicePhone: string;
}

interface MessageRoute extends Sender {
  /** The tenant's mini-program; null when it has none. */
  appId: string | null;
  plan: Plan | null;
  /** The tenant's own, else the platform's. */
  sms: SmsTemplate | null;
  subscribe: SubscribeTemplate | null;
}

/** Delivery plan, texts and sender of a scene. */
export function findMessageRoute(
  db: Db,
  { tenantId, scene, side }: TemplateKey,
): Promise<MessageRoute> {
  const own = sql`own`;
  return db.one(sql`
    select tenant.name as tenant, coalesce(setting.service_phone, '') as service_phone,
      mini_program.app_id,
      own.plan, coalesce(${smsOf(own)}, (
        select jsonb_build_object('text', platform_sms.sms_text, 'templateCode',
          platform_sms.sms_code,
          'placeholders', platform_sms.sms_placeholders)
        from find_platform_sms(${scene}, ${side}) platform_sms)) as sms,
      ${subscribeOf(own)} as subscribe
    from tenant
    left join tenant_setting setting on setting.tenant_id = tenant.id
    left join mini_program_setting mini_program on mini_program.tenant_id = tenant.id
    left join message_template own on own.tenant_id = tenant.id and own.scene = ${scene}
      and own.side = ${side}
    where tenant.id = ${tenantId}`);
}

/** WeChat template and plan of each scene that the tenant configured. */
export function findSubscribed(
  db: Db,
  tenantId: number,
  side: Side,
): Promise<{ scene: MessageScenario; plan: Plan; templateId: string; title: string }[]> {
  return db.many(sql`
    select template.scene, template.plan, template.subscribe_id as template_id,
      template.subscribe_title as title
    from message_template template
    where template.tenant_id = ${tenantId} and template.side in (${side}, 'BOTH')
      and template.subscribe_id is not null`);
}

/** Null when the tenant has no mini-program. */
export async function findAppId(db: Db, tenantId: number): Promise<string | null> {
  const row = await db.maybe<{ appId: string }>(sql`
    select app_id from mini_program_setting where tenant_id = ${tenantId}`);
  return row?.appId ?? null;
}

export interface SmsFailure {
  templateCode: string;
  code: string;
  text: string;
  at: string;
}

/** Carrier templates whose newest settled message of the last 7 days was refused. */
export function findSmsFailures(
  db: Db,
  tenantId: number,
  templateCodes: readonly string[],
): Promise<SmsFailure[]> {
  return db.many(sql`
    select template_code, result_code as code, result_text as text, settled_at as at
    from (
      select distinct on (template_code) template_code, state, result_code, result_text, settled_at
      from sms_message
      where tenant_id = ${tenantId} and template_code = any(${[...templateCodes]}::text[])
        and created_at > now() - interval '7 days' and settled_at is not null
        and carrier is not null
      order by template_code, id desc) newest
    where state = 'FAILED'`);
}

export interface CatalogRow {
  state: "PENDING" | "OK" | "FAILED";
  problem: string;
  fetchedAt: string | null;
  templates: CatalogTemplate[];
}

interface CatalogTemplate {
  templateId: string;
  title: string;
  isLongTerm: boolean;
  content: string;
  example: string;
}

/** Catalog of the tenant's current mini-program. */
export function findCatalog(db: Db, tenantId: number): Promise<CatalogRow | null> {
  return db.maybe(sql`
    select catalog.state, catalog.problem, catalog.fetched_at, catalog.templates
    from subscribe_catalog catalog
    join mini_program_setting mini_program on mini_program.tenant_id = catalog.tenant_id
      and mini_program.app_id = catalog.app_id
    where catalog.tenant_id = ${tenantId}`);
}

export async function markFetching(db: Db, tenantId: number, appId: string): Promise<void> {
  await db.run(sql`
    insert into subscribe_catalog as catalog (tenant_id, app_id) values (${tenantId}, ${appId})
    on conflict (tenant_id) do update set state = 'PENDING', problem = '', app_id = ${appId},
      templates = case when catalog.app_id = ${appId} then catalog.templates else '[]' end`);
}

export async function writeCatalog(
  db: Db,
  { tenantId, appId }: { tenantId: number; appId: string },
  found: { templates: CatalogTemplate[] } | { problem: string },
): Promise<void> {
  const problem = "problem" in found ? found.problem : "";
  const templates = "templates" in found ? JSON.stringify(found.templates) : null;
  await db.run(sql`
    update subscribe_catalog set state = ${problem === "" ? "OK" : "FAILED"}, problem = ${problem},
      templates = coalesce(${templates}::jsonb, templates),
      fetched_at = case when ${problem === ""}::boolean then now() else fetched_at end
    where tenant_id = ${tenantId} and app_id = ${appId}`);
}

/** Deduplicates by (order, scene, occasion): true on the first call, false afterwards. */
export async function isFirstNotice(
  db: Db,
  at: { tenantId: number; orderId: number; scene: MessageScenario; occasion: string },
): Promise<boolean> {
  const added = await db.run(sql`
    insert into order_telling (tenant_id, order_id, scene, occasion)
    values (${at.tenantId}, ${at.orderId}, ${at.scene}, ${at.occasion})
    on conflict do nothing`);
  return added === 1;
}

/** Whether anybody would be notified: nobody is before the tenant has configured the scene. */
export async function hasEnabledChannel(
  db: Db,
  { tenantId, scene, side }: TemplateKey,
): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 from message_template
    where tenant_id = ${tenantId} and scene = ${scene} and side = ${side} and plan <> 'OFF'
      and (plan <> 'SUBSCRIBE' or subscribe_id is not null)`);
  return row !== null;
}
