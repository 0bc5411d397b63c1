// Terms of the demo's companies, and of three small tenants without cabinets: expiring, expired, suspended.

import { USUAL_LIMITS } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { bindRole, ensureDefaultRoles } from "../../features/identity/access/index.ts";
import { insertOperator } from "../../features/identity/auth/index.ts";
import type { Db } from "../../platform/db/db.ts";
import { sql } from "../../platform/db/sql.ts";
import { DAY } from "../fleet/cabinet.ts";
import { insertRowsReturningIds } from "../rows.sql.ts";
import { demoTenants } from "./place.ts";

interface Terms {
  contactName: string;
  contactPhone: string;
  maxOperators: number | null;
  maxCabinets: number | null;
  remark: string;
  sinceDays: number;
  daysLeft: number | null;
}

interface SmallTenant extends Terms {
  name: string;
  suspendReason: string | null;
  username: string;
  displayName: string;
}

/** Terms of the tenants with stores, in their order. */
const companyTerms: Terms[] = [
  {
    contactName: "沈佳宁",
    contactPhone: "13800003011",
    maxOperators: 20,
    maxCabinets: 60,
    remark: "三年框架合同，按年付费",
    sinceDays: 742,
    daysLeft: 365,
  },
  {
    contactName: "唐雨",
    contactPhone: "13800003022",
    maxOperators: null,
    maxCabinets: 30,
    remark: "",
    sinceDays: 391,
    daysLeft: 365,
  },
];

const smallTenants: SmallTenant[] = [
  {
    name: "嘉兴南湖驿柜服务部",
    contactName: "冯晓岚",
    contactPhone: "13800003033",
    maxOperators: 5,
    maxCabinets: 10,
    remark: "试用，尚未开通广告和短信",
    sinceDays: 78,
    daysLeft: 12,
    suspendReason: null,
    username: "demo-jiaxing",
    displayName: "冯晓岚",
  },
  {
    name: "绍兴越寄科技有限公司",
    contactName: "金海峰",
    contactPhone: "13800003044",
    maxOperators: 8,
    maxCabinets: 15,
    remark: "",
    sinceDays: 380,
    daysLeft: -15,
    suspendReason: null,
    username: "demo-shaoxing",
    displayName: "金海峰",
  },
  {
    name: "宁波海曙存取便利店",
    contactName: "许敏",
    contactPhone: "13800003055",
    maxOperators: 3,
    maxCabinets: 5,
    remark: "设备已全部收回",
    sinceDays: 260,
    daysLeft: 105,
    suspendReason: "租户申请停用",
    username: "demo-ningbo",
    displayName: "许敏",
  },
];

/** Menu entries withheld during a trial. */
const WITHHELD_ON_TRIAL = [
  "/cupboard/index:advert",
  "/cupboard/index:advertWrite",
  "/smsManage",
  "/thirdPartApi",
  "/largeScreen",
];

const before = (now: number, days: number) => new Date(now - days * DAY).toISOString();

/** The last day ends at midnight in Shanghai, the time of day at which `today` begins. */
function termColumns(terms: Terms, now: number, today: number) {
  const { daysLeft, sinceDays } = terms;
  return {
    contact_name: terms.contactName,
    contact_phone: terms.contactPhone,
    max_operators: terms.maxOperators,
    max_cabinets: terms.maxCabinets,
    max_storage_mb: USUAL_LIMITS.maxStorageMb,
    max_requests: USUAL_LIMITS.maxRequests,
    max_exports: USUAL_LIMITS.maxExports,
    max_live_channels: USUAL_LIMITS.maxLiveChannels,
    remark: terms.remark,
    created_at: before(now, sinceDays),
    // Accounts of a demo are shown around: nothing demands a second factor of them.
    factor_exempt_until: "infinity",
    expires_at: daysLeft === null ? null : new Date(today + (daysLeft + 1) * DAY).toISOString(),
  };
}

/** Returns the ids of the tenants with stores; the platform exists already. */
export async function insertCompanies(db: Db, now: number, today: number): Promise<number[]> {
  const [, ...companies] = demoTenants;
  const rows = companies.flatMap(({ name }, nth) => {
    const terms = companyTerms[nth];
    return terms ? [{ name, ...termColumns(terms, now, today) }] : [];
  });
  return insertRowsReturningIds(db, "tenant", "name", rows);
}

export async function insertSmallTenants(db: Db, now: number, today: number): Promise<void> {
  const rows = smallTenants.map(({ name, suspendReason, ...terms }) => ({
    name,
    ...termColumns(terms, now, today),
    state: suspendReason === null ? "ACTIVE" : "SUSPENDED",
    suspend_reason: suspendReason,
    suspended_at: suspendReason === null ? null : before(now, 9),
  }));
  const ids = await insertRowsReturningIds(db, "tenant", "name", rows);
  for (const [nth, tenantId] of ids.entries()) {
    const { username = "", displayName = "" } = smallTenants[nth] ?? {};
    const roles = await ensureDefaultRoles(db, tenantId);
    const operatorId = await insertOperator(db, {
      tenantId,
      username,
      displayName,
      passwordHash: "none",
      userType: 1,
      mustChangePassword: true,
      phone: smallTenants[nth]?.contactPhone ?? "",
    });
    await bindRole(db, { tenantId, operatorId }, roles[1]);
  }
  await db.run(sql`
    insert into tenant_withheld_entry (tenant_id, menu_entry_id)
    select ${ids[0] ?? 0}, id from menu_entry where uri = any(${WITHHELD_ON_TRIAL})`);
  // On trial as well: webhooks off, exports for as long as the term.
  await db.run(sql`
    insert into tenant_feature (tenant_id, feature, is_on, ends_on)
    values (${ids[0] ?? 0}, 'webhook', false, null),
      (${ids[0] ?? 0}, 'export', true, ${shanghaiDay(today + 12 * DAY)})`);
}
