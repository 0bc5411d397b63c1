// Makes console accounts beyond the three of each test tenant.
import { randomBytes } from "node:crypto";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import { bindRole } from "../../apps/server/src/features/identity/access/index.ts";
import { insertOperator } from "../../apps/server/src/features/identity/auth/index.ts";
import { makeToken } from "../../apps/server/src/platform/access-token.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { Person, TestServer } from "./test-server.ts";

interface PersonFixture {
  userType?: UserType;
  roleIds?: readonly number[];
  /** Stores with this account as caretaker. */
  storeIds?: readonly number[];
}

/** Makes a new account of the tenant, signed in. */
export function makePerson(
  testServer: TestServer,
  tenantId: number,
  { userType = 1, roleIds = [], storeIds = [] }: PersonFixture = {},
): Promise<Person> {
  return testServer.database.transaction("platform", async (db) => {
    const username = `someone-of-${tenantId}-${randomBytes(3).toString("hex")}`;
    const operatorId = await insertOperator(db, {
      tenantId,
      username,
      displayName: username,
      passwordHash: "none",
      userType,
      mustChangePassword: false,
    });
    for (const roleId of roleIds) await bindRole(db, { tenantId, operatorId }, roleId);
    await db.run(sql`
      insert into operator_store (tenant_id, operator_id, store_id)
      select ${tenantId}, ${operatorId}, unnest(${[...storeIds]}::bigint[])`);
    const { token, tokenHash } = makeToken(db.vault, "session");
    await db.run(sql`
      insert into session (token_hash, tenant_id, operator_id, expires_at, has_mac)
      values (${tokenHash}, ${tenantId}, ${operatorId}, now() + interval '8 hours', true)`);
    return { tenantId, operatorId, username, userType, token };
  });
}

/** An account with an operator's permissions at one store. */
export async function makeStorePerson(
  testServer: TestServer,
  tenantId: number,
  storeId: number,
): Promise<Person> {
  const roleId = await testServer.database.transaction("platform", async (db) => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into role (tenant_id, name, store_scope) values (${tenantId}, '店长', 'OWN') returning id`);
    await db.run(sql`
      insert into role_menu_entry
      select role_entry.tenant_id, ${id}, role_entry.menu_entry_id
      from role_menu_entry role_entry join role on role.tenant_id = role_entry.tenant_id
        and role.id = role_entry.role_id
      where role.tenant_id = ${tenantId} and role.default_for = 1`);
    return id;
  });
  return makePerson(testServer, tenantId, { roleIds: [roleId], storeIds: [storeId] });
}
