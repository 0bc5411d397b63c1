// Display texts of a message template in a list: plan, source of the text, obstacles.
import { renderSms, smsCost } from "@cabinet/contract/messaging/template/sms-template.rules.ts";
import type { MessageTemplate } from "@cabinet/contract/messaging/template/template.contract.ts";
import {
  goesBySms,
  goesBySubscription,
  planText,
  sampleFacts,
  scenarioSpecs,
  smsSourceText,
} from "@cabinet/contract/messaging/template/template.rules.ts";
import type { Tone } from "../../../ui/display/tone.rules.ts";

export const isShared = ({ scene }: Pick<MessageTemplate, "scene">) =>
  scenarioSpecs[scene].isShared;

/** True if the scene supports text messages only. */
export const isSmsAlone = ({ scene }: Pick<MessageTemplate, "scene">) =>
  !scenarioSpecs[scene].plans.includes("FALLBACK");

function sampleSms({ scene, sms }: Pick<MessageTemplate, "scene" | "sms">): string {
  return renderSms(sms, sampleFacts(scene)).text;
}

export function smsText(template: MessageTemplate, sign: string): string {
  if (!goesBySms(template.plan)) return "不发短信";
  const { segments } = smsCost(sign, sampleSms(template));
  return `${smsSourceText[template.smsSource]}，${segments} 条`;
}

export function subscribeText({ plan, subscribe, ...template }: MessageTemplate): string {
  if (isSmsAlone(template)) return "";
  if (!subscribe) return "未配置";
  const name = subscribe.title || subscribe.templateId;
  return goesBySubscription(plan) ? name : `${name}（未使用）`;
}

/** True if the plan is subscribe messages only but no template is configured: nothing is sent. */
const isSilent = ({ plan, subscribe }: MessageTemplate) =>
  plan === "SUBSCRIBE" && subscribe === null;

export function routeText(template: MessageTemplate): string {
  return isSilent(template) ? "不发送" : planText[template.plan];
}

/** Tenant-wide facts that affect all templates. */
export interface Around {
  smsSign: string;
  hasMiniProgram: boolean;
  tellsOverdue: boolean;
  hasCarrier: boolean;
}

export function stateOf(template: MessageTemplate, facts: Around): { tone: Tone; text: string } {
  const { plan, scene } = template;
  if (plan === "OFF" || isSilent(template)) return { tone: "quiet", text: "未启用" };
  if (scene === "OVERDUE" && !facts.tellsOverdue) return { tone: "quiet", text: "滞留提醒已关闭" };
  if (template.subscribeProblem && goesBySubscription(plan)) {
    return { tone: "bad", text: "订阅消息发送失败" };
  }
  if (template.smsProblem && goesBySms(plan)) return { tone: "bad", text: "短信发送失败" };
  if (goesBySubscription(plan) && !facts.hasMiniProgram) {
    return { tone: "doubtful", text: "没有小程序配置" };
  }
  if (goesBySms(plan) && facts.hasCarrier && template.sms.templateCode === "") {
    return { tone: "doubtful", text: "缺少短信模板编号" };
  }
  return { tone: "good", text: "正常" };
}
