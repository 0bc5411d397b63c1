// Form of one message template: plan, text message and subscribe message with previews.

import { Strict } from "@cabinet/contract/kit/fields.ts";
import { messageScenarioText } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import {
  builtInSms,
  type SmsTemplate,
  smsTemplateProblem,
} from "@cabinet/contract/messaging/template/sms-template.rules.ts";
import {
  type SubscribeTemplate,
  subscribeTemplateProblem,
} from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import {
  type MessageTemplate,
  templateContract,
} from "@cabinet/contract/messaging/template/template.contract.ts";
import {
  type Plan,
  planText,
  scenarioSpecs,
} from "@cabinet/contract/messaging/template/template.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import Radio from "antd/es/radio";
import { Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { SmsInput } from "./sms-input.tsx";
import { SubscribeInput } from "./subscribe-input.tsx";
import { isShared, isSmsAlone } from "./template-text.ts";
import "./template.css";

const Form = Strict({
  plan: Type.Unsafe<Plan>({ type: "string" }),
  sms: Type.Optional(Type.Unsafe<SmsTemplate | null>({})),
  subscribe: Type.Optional(Type.Unsafe<SubscribeTemplate | null>({})),
});

export interface TemplateFormProps {
  template: MessageTemplate;
  side: Side;
  tenant: { tenantId: number; tenantName: string; smsSign: string; hasMiniProgram: boolean };
  onClose: () => void;
}

export function TemplateForm({ template, side, tenant, onClose }: TemplateFormProps) {
  const save = useWrite(templateContract.save);
  const { scene, plan, smsSource, editVersion } = template;
  const { tenantId } = tenant;
  return (
    <FormDrawer
      open
      title={`${messageScenarioText[scene]}：${tenant.tenantName}`}
      width={640}
      schema={Form}
      fields={fieldsOf(template, tenant)}
      initial={{
        plan,
        sms: smsSource === "OWN" ? template.sms : null,
        subscribe: template.subscribe,
      }}
      submit={async ({ plan: chosen, sms = null, subscribe = null }) => {
        const body = { side, scene, tenantId, plan: chosen, sms, subscribe, editVersion };
        await save.mutateAsync({ body });
        toast.success(`“${messageScenarioText[scene]}”已保存，之后的消息按它发送`);
      }}
      onClose={onClose}
    >
      <p className="template-note">
        {scenarioSpecs[scene].when}时，发给{scenarioSpecs[scene].recipient}。
        {isShared(template) && "单面和双面设备共用这一份。"}
      </p>
    </FormDrawer>
  );
}

function fieldsOf(
  template: MessageTemplate,
  tenant: TemplateFormProps["tenant"],
): FieldOf<typeof Form>[] {
  const { scene, sms, smsSource } = template;
  const { plans } = scenarioSpecs[scene];
  const plan: FieldOf<typeof Form> = {
    name: "plan",
    label: "发送方式",
    control: (
      <Radio.Group
        className="template-plans"
        options={plans.map((each) => ({ value: each, label: planText[each] }))}
      />
    ),
    ...(isSmsAlone(template)
      ? { hint: "收的人不一定在小程序中，只能发短信" }
      : { hint: "订阅消息须用户在小程序中同意，每同意一次可发一条；没有同意的不会收到" }),
  };
  const smsField: FieldOf<typeof Form> = {
    name: "sms",
    label: "短信内容",
    section: "短信",
    control: (
      <SmsInput
        scene={scene}
        sign={tenant.smsSign}
        usual={smsSource === "OWN" ? builtInSms(scene) : sms}
      />
    ),
    problem: (value) => (value ? smsTemplateProblem(scene, value as SmsTemplate) : null),
  };
  if (isSmsAlone(template)) return [plan, smsField];
  return [
    plan,
    smsField,
    {
      name: "subscribe",
      label: "订阅消息模板",
      section: "微信订阅消息",
      control: (
        <SubscribeInput
          scene={scene}
          tenantId={tenant.tenantId}
          hasMiniProgram={tenant.hasMiniProgram}
        />
      ),
      problem: (value) =>
        value ? subscribeTemplateProblem(scene, value as SubscribeTemplate) : null,
    },
  ];
}
