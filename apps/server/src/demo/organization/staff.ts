// Additional staff of the demo's companies: caretakers of stores, one who left, one who never
// signed in.
import { bindRole } from "../../features/identity/access/index.ts";
import type { Db } from "../../platform/db/db.ts";
import { insertRows, insertRowsReturningIds } from "../rows.sql.ts";
import { insertRoles } from "./role.ts";

const DAY_MS = 86_400_000;

interface DemoStaff {
  name: string;
  /** Username after the prefix `demo2-`. */
  username: string;
  userType: 1 | 2;
  phone: string;
  /** Indexes of the company's stores they take care of. */
  stores: readonly number[];
  /** Role by name; the default role of their type if absent. */
  role?: string;
  /** Days since the last sign-in; null: never, with the first password unchanged. */
  idleDays: number | null;
  left?: string;
  remark?: string;
}

const staffOf: readonly (readonly DemoStaff[])[] = [
  [
    {
      ...{ name: "许宁", username: "field", userType: 2, phone: "13800002011", stores: [0] },
      idleDays: 2,
    },
  ],
  [
    {
      ...{ name: "郑凯", username: "west", userType: 2, phone: "13800002021", stores: [2, 3] },
      ...{ idleDays: 0.2, remark: "周一至周五，城西片区" },
    },
    {
      ...{ name: "冯磊", username: "night", userType: 2, phone: "13800002022", stores: [0] },
      ...{ idleDays: 41, left: "已离职，工作交接给孙浩" },
    },
    {
      ...{ name: "蒋文", username: "finance", userType: 1, phone: "13800002023", stores: [] },
      ...{ idleDays: 36, remark: "财务，月底对账", role: "财务" },
    },
    {
      ...{ name: "韩雪", username: "service", userType: 1, phone: "13800002024", stores: [] },
      ...{ idleDays: null, role: "客服" },
    },
  ],
  [
    {
      ...{ name: "谢军", username: "east", userType: 2, phone: "13800002031", stores: [1, 2] },
      idleDays: 1,
    },
    {
      ...{ name: "曹莉", username: "desk", userType: 1, phone: "13800002032", stores: [] },
      ...{ idleDays: 0.5, remark: "客服早班", role: "客服" },
    },
  ],
];

interface Company {
  nth: number;
  tenantId: number;
  storeIds: readonly number[];
  /** By userType. */
  roles: { 1: number; 2: number };
}

/** Their passwords are unusable: a visitor of the demo sets one in the console. */
export async function insertStaff(db: Db, company: Company, now: number): Promise<void> {
  const { nth, tenantId, storeIds, roles } = company;
  const staff = staffOf[nth] ?? [];
  const ago = (days: number) => new Date(now - days * DAY_MS).toISOString();
  const ids = await insertRowsReturningIds(
    db,
    "operator",
    "username",
    staff.map((person) => ({
      tenant_id: tenantId,
      username: `demo${nth + 1}-${person.username}`,
      display_name: person.name,
      password_hash: "none yet",
      must_change_password: person.idleDays === null,
      factor_exempt_until: "infinity",
      user_type: person.userType,
      phone: person.phone,
      remark: person.remark ?? "",
      created_at: ago(120),
      last_sign_in_at: person.idleDays === null ? null : ago(person.idleDays),
      disabled_at: person.left ? ago(40) : null,
      disabled_by: person.left ? "沈佳宁" : null,
      disable_reason: person.left ?? null,
      permissions: [],
      is_store_bound: false,
      edit_version: 1,
    })),
  );
  const others = await insertRoles(db, company);
  for (const [at, person] of staff.entries()) {
    const roleId = others.get(person.role ?? "") ?? roles[person.userType];
    await bindRole(db, { tenantId, operatorId: ids[at] ?? 0 }, roleId);
  }
  const theirs = staff.flatMap((person, at) =>
    person.stores.flatMap((store) =>
      storeIds[store] === undefined
        ? []
        : [{ tenant_id: tenantId, operator_id: ids[at], store_id: storeIds[store] }],
    ),
  );
  await insertRows(db, "operator_store", theirs);
}
