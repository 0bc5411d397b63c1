// Maintenance messages of the demo: rules of its companies, and messages of the last days.
import { noticeFacts } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import { signedText, smsSegments } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { builtInText } from "@cabinet/contract/messaging/template/sms-template.rules.ts";
import { sealSmsText } from "../../features/messaging/sms/index.ts";
import type { Db } from "../../platform/db/db.ts";
import type { Vault } from "../../platform/secrets.ts";
import { insertRows } from "../rows.sql.ts";
import type { NotifiedMalfunction } from "./maintenance.sql.ts";

interface Company {
  tenantId: number;
  /** Indexed by userType. */
  actors: readonly { operatorId: number; signature: string }[];
}

const general = {
  kind: "*",
  is_on: true,
  to_caretakers: true,
  to_manager: true,
  by_console: true,
  by_sms: true,
  quiet_from: "22:00",
  quiet_to: "07:00",
  calm_minutes: 30,
  escalate_minutes: null as number | null,
};

export async function insertMaintenanceRules(db: Db, companies: readonly Company[]): Promise<void> {
  const rules = companies.flatMap(({ tenantId, actors }) => {
    const by = { tenant_id: tenantId, edited_by: actors[1]?.signature ?? "" };
    return [
      { ...by, ...general },
      // Tampering: no quiet hours, and an early escalation.
      {
        ...{ ...by, ...general, kind: "TAMPER", quiet_from: null, quiet_to: null },
        ...{ calm_minutes: 0, escalate_minutes: 15 },
      },
      { ...by, ...general, kind: "NETWORK_POOR", by_sms: false, calm_minutes: 240 },
    ];
  });
  const named = companies.map(({ tenantId, actors }) => ({
    tenant_id: tenantId,
    kind: "TAMPER",
    step: "ESCALATION",
    operator_id: actors[1]?.operatorId,
  }));
  await insertRows(db, "maintenance_rule", rules);
  await insertRows(db, "maintenance_recipient", named);
}

const MINUTE = 60_000;

/** Row of the SMS outbox. */
export function malfunctionRow(
  vault: Vault,
  { tenantId, phone, at, sign, ...facts }: NotifiedMalfunction,
) {
  const text = signedText(
    sign,
    builtInText("MALFUNCTION", noticeFacts({ step: "FIRST", ...facts })),
  );
  return {
    tenant_id: tenantId,
    created_at: at,
    scene: "MALFUNCTION",
    phone,
    sealed_text: `\\x${sealSmsText(vault, { tenantId, phone }, text).toString("hex")}`,
    template_code: "SMS_478220190",
    segments: smsSegments(text),
    order_id: null,
  };
}

/** Inserts alerts and notices, which were read some minutes after they were sent. */
export async function insertNotices(
  db: Db,
  notified: readonly NotifiedMalfunction[],
  smsIds: readonly number[],
): Promise<void> {
  const later = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();
  const firsts = new Map(notified.map((each) => [each.malfunctionId, each]));
  const alerts = [...firsts.values()].map(({ tenantId, malfunctionId, at }) => ({
    tenant_id: tenantId,
    malfunction_id: malfunctionId,
    next_at: null,
    told_at: at,
  }));
  const notices = notified.map((each, index) => ({
    tenant_id: each.tenantId,
    created_at: each.at,
    step: "FIRST",
    kind: each.kind,
    malfunction_id: each.malfunctionId,
    place: each.place,
    detail: each.detail,
    operator_id: each.operatorId,
    operator_name: each.operatorName,
    by_console: true,
    read_at: later(each.at, (2 + (index % 9)) * MINUTE),
    sms_state: "QUEUED",
    sms_id: smsIds[index],
  }));
  await insertRows(db, "maintenance_alert", alerts);
  await insertRows(db, "maintenance_notice", notices);
}
