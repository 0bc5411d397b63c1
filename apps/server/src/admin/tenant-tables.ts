// Finds the tables with a tenant's rows in the catalogue of the database, so that no new table is forgotten.
import type pg from "pg";

export interface TenantTable {
  name: string;
  /** Columns that an export contains. */
  columns: string[];
  /** Columns that an export leaves out: secrets, hashes of them, sealed texts. */
  withheld: string[];
  primaryKey: string[];
  /** Rows refer to other rows of the same table. */
  refersToItself: boolean;
  isExported: boolean;
  /** The role `cabinet_platform` may delete rows. */
  mayDelete: boolean;
}

/** Sign-ins, replies kept for retries, and exports of lists: worthless elsewhere, or secret. */
const NOT_EXPORTED = new Set([
  ...["app_session", "session", "sign_in_code", "sign_in_request", "passkey", "recovery_code"],
  ...["totp", "idempotency_key", "open_nonce", "list_export", "list_export_chunk"],
  "tenant_use",
]);
/** Binary columns are secrets or hashes of secrets, except these of the audit chain. */
const OPEN_BYTES = new Set([
  ...["audit_base.hash", "audit_base.signature", "audit_head.hash", "audit_link.hash"],
  ...["audit_seal.hash", "audit_seal.signature"],
]);
const SECRET_TEXTS = new Set(["operator.password_hash"]);

interface Column {
  table: string;
  column: string;
  type: string;
}

/** All tables with a column `tenant_id`, those that refer to others first. */
export async function findTenantTables(client: pg.Client): Promise<TenantTable[]> {
  const { rows: tables } = await client.query<{
    oid: number;
    name: string;
    mayDelete: boolean;
    key: string[];
  }>(`
    select pg_class.oid, relname as name,
      has_table_privilege('cabinet_platform', pg_class.oid, 'delete') as may_delete,
      array(select attname::text from pg_index, unnest(indkey) with ordinality place (number, no)
        join pg_attribute on attrelid = pg_class.oid and attnum = place.number
        where indrelid = pg_class.oid and indisprimary order by place.no) as key
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'tenant_id'
        and not attisdropped)
    order by relname`);
  const { rows: columns } = await client.query<Column>(
    `
    select relname as table, attname as column, format_type(atttypid, null) as type
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where attrelid = any($1) and attnum > 0 and not attisdropped order by attnum`,
    [tables.map(({ oid }) => oid)],
  );
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `
    select distinct source.relname as from, target.relname as to
    from pg_constraint
    join pg_class source on source.oid = conrelid
    join pg_class target on target.oid = confrelid
    where contype = 'f' and conparentid = 0 and conrelid = any($1) and confrelid = any($1)`,
    [tables.map(({ oid }) => oid)],
  );
  const found = tables.map(({ name, key, mayDelete }): TenantTable => {
    const own = columns.filter(({ table }) => table === name);
    return {
      name,
      columns: own.filter((each) => !isWithheld(each)).map(({ column }) => column),
      withheld: own.filter(isWithheld).map(({ column }) => column),
      primaryKey: key,
      refersToItself: references.some(({ from, to }) => from === name && to === name),
      isExported: !NOT_EXPORTED.has(name),
      mayDelete,
    };
  });
  return referringFirst(found, references);
}

function isWithheld({ table, column, type }: Column): boolean {
  const name = `${table}.${column}`;
  return SECRET_TEXTS.has(name) || (type === "bytea" && !OPEN_BYTES.has(name));
}

function referringFirst(
  tables: TenantTable[],
  references: { from: string; to: string }[],
): TenantTable[] {
  const sorted: TenantTable[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const free = [...left.values()].filter(
      ({ name }) =>
        !references.some(({ from, to }) => to === name && from !== name && left.has(from)),
    );
    if (free.length === 0) throw new Error(`tables refer to each other: ${[...left.keys()]}`);
    for (const table of free) left.delete(table.name);
    sorted.push(...free);
  }
  return sorted;
}
