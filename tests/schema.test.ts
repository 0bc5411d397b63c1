// The committed schema is that of a migrated database, and its keys lead with the tenant.
import { expect, it } from "vitest";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { schemaText } from "./support/schema-text.ts";
import { useTestServer } from "./support/test-server.ts";

const testServer = useTestServer();

it("schema.sql: equals the schema that the migrations make", async () => {
  const text = await testServer.database.read("platform", schemaText);
  await expect(text).toMatchFileSnapshot("../apps/server/db/schema.sql");
});

/** Proofs and names that are looked up before the tenant is known, and ids that tenants share (docs/sre, 多台机器). */
const WITHOUT_TENANT = [
  "announcement_id_key",
  "app_session_pkey",
  "cabinet_sn_key",
  "faq_category_id_key",
  "faq_id_key",
  "file_id_key",
  "file_storage_key_key",
  "legal_text_id_key",
  "login_log_pkey",
  "open_app_code_key",
  "operator_username",
  "passkey_credential_id_key",
  "session_id_key",
  "session_pkey",
  "sign_in_request_pkey",
];

it("schema: unique keys of a tenant's table have its tenant, except the documented ones", async () => {
  const found = await testServer.database.read("platform", (db) =>
    db.many<{ name: string }>(sql`
      select key.relname as name from pg_index index
      join pg_class key on key.oid = index.indexrelid
      join pg_class held on held.oid = index.indrelid
        and held.relnamespace = 'public'::regnamespace and not held.relispartition
      join pg_attribute tenant on tenant.attrelid = index.indrelid and tenant.attname = 'tenant_id'
      where index.indisunique and not tenant.attnum = any(index.indkey)
      order by key.relname`),
  );
  expect(found.map(({ name }) => name)).toEqual(WITHOUT_TENANT);
});
