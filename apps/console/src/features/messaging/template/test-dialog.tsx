// Dialog that sends one message with sample data to a test phone.

import { Phone, Strict } from "@cabinet/contract/kit/fields.ts";
import { messageScenarioText } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import {
  type MessageTemplate,
  templateContract,
} from "@cabinet/contract/messaging/template/template.contract.ts";
import { type Channel, channelText } from "@cabinet/contract/messaging/template/template.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import Form from "antd/es/form";
import Radio from "antd/es/radio";
import { Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { PhoneInput } from "../../../ui/form/phone-input.tsx";
import { SmsPreview, SubscribePreview } from "./message-preview.tsx";
import "./template.css";

const TestForm = Strict({ channel: Type.Unsafe<Channel>({ type: "string" }), phone: Phone });

export interface TestDialogProps {
  /** Null while the dialog is closed. */
  template: MessageTemplate | null;
  side: Side;
  tenantId: number;
  sign: string;
  onClose: () => void;
}

export function TestDialog({ template, side, tenantId, sign, onClose }: TestDialogProps) {
  const send = useWrite(templateContract.test);
  const channels: Channel[] = template?.subscribe ? ["SMS", "SUBSCRIBE"] : ["SMS"];
  return (
    <FormDialog
      open={template !== null}
      title={template ? `测试发送：${messageScenarioText[template.scene]}` : ""}
      schema={TestForm}
      fields={[
        {
          name: "channel",
          label: "渠道",
          control: (
            <Radio.Group
              options={channels.map((each) => ({ value: each, label: channelText[each] }))}
            />
          ),
          ...(channels.length === 1 && { hint: "配置并保存订阅消息模板后，可以测试订阅消息" }),
        },
        {
          name: "phone",
          label: "手机号",
          control: <PhoneInput placeholder="接收测试消息的手机号" />,
          hint: "测试短信计入短信条数；订阅消息发给用这个手机号登录小程序的用户",
        },
      ]}
      initial={{ channel: "SMS" }}
      submitText="发送测试消息"
      submit={async ({ channel, phone }) => {
        if (!template) return;
        await send.mutateAsync({ body: { side, scene: template.scene, tenantId, channel, phone } });
        toast.success(`测试${channelText[channel]}已提交，结果见“短信管理 › 通知记录”`);
      }}
      onClose={onClose}
    >
      {template && <Sample template={template} sign={sign} />}
    </FormDialog>
  );
}

/** Preview of the saved template with sample data. */
function Sample({ template, sign }: { template: MessageTemplate; sign: string }) {
  const channel = Form.useWatch<Channel | undefined>("channel");
  const { scene, sms, subscribe } = template;
  return channel === "SUBSCRIBE" && subscribe ? (
    <SubscribePreview scene={scene} subscribe={subscribe} />
  ) : (
    <SmsPreview scene={scene} sms={sms} sign={sign} />
  );
}
