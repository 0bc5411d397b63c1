// Console accounts in the database.
import type { UserType } from "@cabinet/contract/auth/auth.contract.ts";
import { type Db, sql } from "../../platform/db.ts";

export interface NewOperator {
  tenantId: number;
  username: string;
  displayName: string;
  passwordHash: string;
  userType: UserType;
  mustChangePassword: boolean;
}

export async function insertOperator(db: Db, operator: NewOperator): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into operator (tenant_id, username, display_name, password_hash, user_type,
      must_change_password)
    values (${operator.tenantId}, ${operator.username}, ${operator.displayName},
      ${operator.passwordHash}, ${operator.userType}, ${operator.mustChangePassword})
    returning id`);
  return id;
}

export async function hasOperators(db: Db): Promise<boolean> {
  return (await db.maybe(sql`select 1 from operator limit 1`)) !== null;
}
