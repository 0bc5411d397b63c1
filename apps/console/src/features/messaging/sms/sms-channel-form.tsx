// The form of 短信通道: the secret is typed and never shown again; empty keeps it.
import { SMS_CARRIERS, smsCarrierText } from "@cabinet/contract/messaging/sms/sms-carrier.rules.ts";
import {
  type SmsChannel,
  SmsChannelDraft,
  smsChannelContract,
} from "@cabinet/contract/messaging/sms/sms-channel.contract.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import Segmented from "antd/es/segmented";
import Switch from "antd/es/switch";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";

interface SmsChannelFormProps {
  open: boolean;
  setting: SmsChannel;
  onClose: () => void;
}

export function SmsChannelForm({ open, setting, onClose }: SmsChannelFormProps) {
  const save = useWrite(smsChannelContract.saveChannel);
  const { carrier, isOn, keyId, sign, appId, editVersion } = setting;
  return (
    <FormDrawer
      open={open}
      title="短信通道"
      width={560}
      schema={SmsChannelDraft}
      fields={fieldsOf(setting)}
      initial={{ carrier, isOn: editVersion === 0 || isOn, keyId, sign, appId }}
      submitText="保存并验证"
      submit={async ({ secret, ...plain }) => {
        await save.mutateAsync({
          body: { ...plain, ...(secret && { secret }), editVersion },
        });
        toast.success("短信通道已保存，正在验证");
      }}
      onClose={onClose}
    />
  );
}

function fieldsOf(setting: SmsChannel): FieldOf<typeof SmsChannelDraft>[] {
  const isNew = setting.editVersion === 0;
  return [
    {
      name: "isOn",
      label: "启用",
      control: <Switch checkedChildren="启用" unCheckedChildren="停用" />,
      valueName: "checked",
      hint: "停用后，未发出的短信回到发件箱，不再发送；已提交的仍会查询回执",
    },
    {
      name: "carrier",
      label: "短信通道",
      control: (
        <Segmented
          options={SMS_CARRIERS.map((value) => ({ value, label: smsCarrierText[value] }))}
        />
      ),
    },
    {
      name: "keyId",
      label: "访问密钥 ID",
      control: <Input spellCheck={false} autoComplete="off" />,
      hint: "阿里云 AccessKey ID，或腾讯云 SecretId",
    },
    {
      name: "secret",
      label: "访问密钥",
      control: <Input.Password autoComplete="off" />,
      hint: `AccessKey Secret 或 SecretKey；加密保存，不再显示${
        isNew ? "" : "；留空则保持不变，更换密钥 ID 时须一起填写"
      }`,
      problem: (value) => (isNew && !value ? "访问密钥不能为空" : null),
    },
    {
      name: "appId",
      label: "短信应用 SdkAppId",
      control: <Input inputMode="numeric" placeholder="腾讯云必填，如：1400823456" />,
      hint: <AppIdHint />,
    },
    {
      name: "sign",
      label: "默认签名",
      control: <Input placeholder="不含【】" />,
      hint: "租户没有设置自己的短信签名时使用；须在通道账号下通过审核",
    },
  ];
}

function AppIdHint() {
  const carrier = Form.useWatch<string | undefined>("carrier");
  return carrier === "TENCENT"
    ? "在腾讯云短信控制台的应用管理中查看"
    : "阿里云短信没有应用编号，留空即可";
}
