// Prints the schema of a migrated database from PostgreSQL's catalogs, in a stable order.
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { type Sql, sql } from "../../apps/server/src/platform/db/sql.ts";

const inPublic = sql`pg_class.relnamespace = 'public'::regnamespace`;

/** Monthly partitions differ from day to day: only their parent is printed. */
const tables = sql`
  select pg_class.oid, pg_class.relname as name, pg_class.relrowsecurity as is_secured,
    pg_get_partkeydef(pg_class.oid) as partition_key
  from pg_class
  where ${inPublic} and pg_class.relkind in ('r', 'p') and not pg_class.relispartition
  order by pg_class.relname`;

const columns = (oid: number) => sql`
  select concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
    case when attnotnull then 'not null' end,
    case when attidentity <> '' then 'generated always as identity' end,
    case when attgenerated <> '' then
      'generated always as (' || pg_get_expr(adbin, adrelid) || ') stored'
    when adbin is not null then 'default ' || pg_get_expr(adbin, adrelid) end) as line
  from pg_attribute
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = ${oid} and attnum > 0 and not attisdropped
  order by attnum`;

const constraints = (oid: number) => sql`
  select 'constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid) as line
  from pg_constraint
  where conrelid = ${oid} and contype <> 'n' and conparentid = 0
  order by contype, conname`;

const indexes = (oid: number) => sql`
  select pg_get_indexdef(indexrelid) || ';' as line
  from pg_index
  where indrelid = ${oid}
    and not exists (select from pg_constraint where conindid = indexrelid and conrelid = ${oid})
  order by 1`;

const policies = (oid: number) => sql`
  select concat_ws(' ', 'create policy', quote_ident(polname), 'on', polrelid::regclass, 'to',
    (select string_agg(role::regrole::text, ', ' order by 1) from unnest(polroles) role), 'using',
    '(' || pg_get_expr(polqual, polrelid) || ')',
    'with check (' || pg_get_expr(polwithcheck, polrelid) || ')') || ';' as line
  from pg_policy where polrelid = ${oid} order by polname`;

const triggers = (oid: number) => sql`
  select pg_get_triggerdef(oid) || ';' as line
  from pg_trigger where tgrelid = ${oid} and not tgisinternal order by tgname`;

const functions = sql`
  select pg_get_functiondef(oid) || ';' as line
  from pg_proc
  where pronamespace = 'public'::regnamespace and prokind = 'f'
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  order by proname, pg_get_function_identity_arguments(oid)`;

interface Table {
  oid: number;
  name: string;
  isSecured: boolean;
  partitionKey: string | null;
}

export async function schemaText(db: Db): Promise<string> {
  const lines = async (statement: Sql) =>
    (await db.many<{ line: string }>(statement)).map(({ line }) => line);
  const parts = [
    "-- Schema of a migrated database, for reading: tests/schema.test.ts keeps it fresh.\n" +
      "-- To renew it after a migration: npm test -- tests/schema -u",
  ];
  for (const { oid, name, isSecured, partitionKey } of await db.many<Table>(tables)) {
    const body = [...(await lines(columns(oid))), ...(await lines(constraints(oid)))];
    const partitioned = partitionKey ? ` partition by ${partitionKey}` : "";
    parts.push(
      [
        `create table ${name} (\n  ${body.join(",\n  ")}\n)${partitioned};`,
        ...(await lines(indexes(oid))),
        ...(isSecured ? [`alter table ${name} enable row level security;`] : []),
        ...(await lines(policies(oid))),
        ...(await lines(triggers(oid))),
      ].join("\n"),
    );
  }
  parts.push(...(await lines(functions)));
  return `${parts.join("\n\n")}\n`;
}
