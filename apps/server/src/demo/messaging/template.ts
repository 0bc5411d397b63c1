// Message templates of the demo: the platform's for all tenants, and one company's own text.
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import {
  builtInSms,
  guessPlaceholders,
} from "@cabinet/contract/messaging/template/sms-template.rules.ts";
import { usualPlan } from "@cabinet/contract/messaging/template/template.rules.ts";

interface Company {
  tenantId: number;
  /** By userType. */
  actors: readonly { signature: string }[];
}

/** Template codes, as a carrier assigns them on approval. */
const passed: [MessageScenario, "SINGLE" | "DOUBLE" | "BOTH", code: string][] = [
  ["SIGN_IN_CODE", "BOTH", "SMS_478210031"],
  ["PICKUP_CODE", "SINGLE", "SMS_478215044"],
  ["PICKUP_CODE", "DOUBLE", "SMS_478215044"],
  ["OVERDUE", "SINGLE", "SMS_478218862"],
  ["OVERDUE", "DOUBLE", "SMS_478218862"],
  ["MALFUNCTION", "BOTH", "SMS_478220190"],
];

const ownText = `您在\${place} \${no} 号格口的物品已存放超时，请尽快取出，\${price}。客服 \${servicePhone}。`;

/** Indexed by tenant, the platform first. */
export function templateRows(tenants: readonly Company[]) {
  const [platform, company] = tenants;
  const row = (of: Company, nth: number, scene: MessageScenario, side: string) => ({
    tenant_id: of.tenantId,
    ...{ scene, side, plan: usualPlan(scene), edited_by: of.actors[nth]?.signature ?? "" },
  });
  const texts = passed.map(([scene, side, sms_code]) => {
    const { text, placeholders } = builtInSms(scene);
    const sms = { sms_text: text, sms_code, sms_placeholders: placeholders };
    return { ...row(platform as Company, 0, scene, side), ...sms };
  });
  const own = (["SINGLE", "DOUBLE"] as const).map((side) => ({
    ...row(company as Company, 1, "OVERDUE", side),
    sms_text: ownText,
    sms_code: "SMS_480012377",
    sms_placeholders: guessPlaceholders("OVERDUE", ownText, []),
  }));
  return [...texts, ...own];
}
