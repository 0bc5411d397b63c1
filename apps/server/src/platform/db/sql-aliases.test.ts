// SQL aliases name their table: one fixed alias per table, or a role where a table occurs twice. Columns keep their names.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/** Tables with a short alias; every other table goes by its own name. */
const ALIASES: Record<string, string> = {
  advert_download: "download",
  announcement_edition: "edition",
  audit_base: "base",
  audit_head: "head",
  audit_link: "link",
  audit_log: "audit",
  audit_seal: "seal",
  birth_request: "birth",
  business_order_change: "change",
  cabinet_model: "model",
  cabinet_network: "network",
  cabinet_playlist: "playlist",
  cabinet_secret: "secret",
  cabinet_service: "service",
  cabinet_service_record: "record",
  callback_attempt: "attempt",
  callback_delivery: "delivery",
  callback_endpoint: "endpoint",
  callback_event: "event",
  callback_sequence: "sequence",
  compartment: "comp",
  device_stock: "stock",
  device_stock_event: "stock_event",
  end_user_lock: "user_lock",
  end_user_note: "user_note",
  end_user_tag: "user_tag",
  faq_category: "category",
  job_worker: "worker",
  ledger_journal: "journal",
  ledger_leg: "leg",
  list_export: "export",
  list_export_chunk: "chunk",
  login_log: "login",
  maintenance_alert: "alert",
  maintenance_notice: "notice",
  malfunction_photo: "photo",
  malfunction_signal: "signal",
  malfunction_sla: "sla",
  menu_entry: "entry",
  message_template: "template",
  mini_program_push: "push",
  mini_program_setting: "mini_program",
  mini_program_user: "wechat_user",
  money_review: "review",
  open_app: "app",
  open_app_key: "app_key",
  open_app_network: "app_network",
  operator_preference: "preference",
  pricing_rule: "rule",
  reconciliation_difference: "difference",
  reconciliation_run: "run",
  rich_text_image: "image",
  role_menu_entry: "role_entry",
  rollout_target: "target",
  sms_account: "account",
  sms_channel: "channel",
  sms_credit_entry: "credit_entry",
  sms_message: "sms",
  sms_recharge: "recharge",
  storage_order: "ord",
  subscribe_allowance: "allowance",
  subscribe_catalog: "catalog",
  tenant_feature: "switch",
  tenant_setting: "setting",
  web_page_setting: "web_page",
  tenant_withheld_entry: "withheld",
  top_up_refund: "refund",
  wallet_hold: "hold",
};

/** Role names of single words; a role with a prefix, such as `next_order`, needs no entry. */
const ROLES: Record<string, readonly string[]> = {
  cabinet_service: ["old"],
  end_user: ["rider", "recipient", "addressee"],
  idempotency_key: ["known"],
  menu_entry: ["below"],
  message_template: ["own"],
  session: ["live"],
  sms_recharge: ["reversal"],
  visible_store: ["mine", "theirs"],
};

/** Columns of rows that become JSON in the database: their names are the keys that clients get. */
const JSON_COLUMNS = [
  "app_key.issued_by",
  "app_key.revoked_by",
  "command.order_id",
  "secret.issued_by",
  "secret.revoked_by",
];

/** Words that follow a table without being its alias. */
const KEYWORDS = new Set(
  `as cross default for full group having inner is join left limit natural on or order returning right select
   set tablesample union using values where with`.split(/\s+/),
);

const source = path.join(import.meta.dirname, "../..");
const migrations = path.join(source, "../db/migrations");
const tables = new Set(
  readdirSync(migrations).flatMap((file) =>
    [
      ...readFileSync(path.join(migrations, file), "utf8").matchAll(
        /^create (?:or replace )?(?:unlogged )?(?:table|view) (?:if not exists )?(\w+)/gim,
      ),
    ].map(([, name]) => name),
  ),
);

function isAllowed(table: string, alias: string): boolean {
  const own = ALIASES[table] ?? table;
  const last = table.split("_").at(-1);
  return (
    alias === own ||
    alias.endsWith(`_${own}`) ||
    alias.endsWith(`_${last}`) ||
    ROLES[table]?.includes(alias) === true
  );
}

/** `table alias` of each use whose alias is neither the table's own nor a role. */
function findStrangeAliases(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, "");
  const ctes = new Set(
    [...code.matchAll(/\b(\w+) as (?:materialized )?\(/g)].map(([, cte]) => cte),
  );
  const uses = code.matchAll(/\b(?:from|join|update|into|using)\s+(\w+)(?:\s+as)?\s+([a-z_]+)\b/g);
  return [...uses].flatMap(([, table = "", alias = ""]) => {
    if (KEYWORDS.has(alias)) return [];
    const isStrange = ctes.has(table)
      ? alias.length < 3
      : tables.has(table) && !isAllowed(table, alias);
    return isStrange ? [`${table} ${alias}`] : [];
  });
}

/** `column as "camelCase"` where the driver makes the same key of the column's own name. */
function findRepeatedNames(text: string): string[] {
  return [...text.matchAll(/((?:\w+\.)?(\w+)) as "(\w+)"/g)].flatMap(
    ([use, column = "", name, alias]) =>
      name?.replaceAll("_", "") === alias?.toLowerCase() && !JSON_COLUMNS.includes(column)
        ? [use]
        : [],
  );
}

describe("SQL aliases", () => {
  it.each([
    ["name their table", findStrangeAliases],
    ["do not repeat the name of their column", findRepeatedNames],
  ])("%s in all server code", (_, find) => {
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts") && file !== path.relative(source, import.meta.filename),
    );
    const found = files.flatMap((file) =>
      find(readFileSync(path.join(source, file), "utf8")).map((use) => `${file}: ${use}`),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(found).toEqual([]);
  });

  it("are found when they say nothing or name another table", () => {
    const planted = `
      with due as (select from command where state = 'QUEUED')
      select from storage_order o join store on store.id = o.store_id
      join cabinet_model comp on true join storage_order next_order on true join due d on true`;
    expect(findStrangeAliases(planted)).toEqual(["storage_order o", "cabinet_model comp", "due d"]);
  });

  it("are found when they repeat the name of their column", () => {
    const planted = `
      select comp.created_at as "createdAt", tenant_id as "tenantId", comp.no as "compartmentNo",
        secret.issued_by as "issuedBy", max(comp.last_at) as last_at from compartment comp`;
    expect(findRepeatedNames(planted)).toEqual([
      'comp.created_at as "createdAt"',
      'tenant_id as "tenantId"',
    ]);
  });
});
