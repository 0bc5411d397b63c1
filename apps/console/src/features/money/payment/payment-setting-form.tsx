// The form of 支付配置: keys are pasted and never shown again; an empty field keeps its value.
import {
  type PaymentSetting,
  PaymentSettingDraft,
  paymentContract,
} from "@cabinet/contract/money/payment/payment.contract.ts";
import { noticeUrl } from "@cabinet/contract/money/payment/payment.rules.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import Switch from "antd/es/switch";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";

export interface PaymentSettingFormProps {
  open: boolean;
  setting: PaymentSetting;
  /** Tenant of the setting, chosen by platform staff; undefined: the account's own. */
  tenantId: number | undefined;
  onClose: () => void;
}

export function PaymentSettingForm({ open, setting, tenantId, onClose }: PaymentSettingFormProps) {
  const save = useWrite(paymentContract.saveSetting);
  return (
    <FormDrawer
      open={open}
      title={`支付配置：${setting.tenantName}`}
      width={640}
      schema={PaymentSettingDraft}
      fields={fieldsOf(setting)}
      initial={initialOf(setting)}
      submitText="保存并验证"
      submit={async (values) => {
        const { certificate, privateKey, apiV3Key, ...plain } = values;
        await save.mutateAsync({
          body: {
            ...plain,
            // An empty key field keeps the stored value.
            ...(certificate && { certificate }),
            ...(privateKey && { privateKey }),
            ...(apiV3Key && { apiV3Key }),
            ...(tenantId && { tenantId }),
            editVersion: setting.editVersion,
          },
        });
        toast.success("支付配置已保存，正在验证");
      }}
      onClose={onClose}
    />
  );
}

function initialOf(setting: PaymentSetting): Partial<PaymentSettingDraft> {
  const { isOn, appId, mchid, publicKeyId, publicKey } = setting;
  const { origin, protocol } = window.location;
  const noticeOrigin = setting.noticeOrigin || (protocol === "https:" ? origin : "");
  return { isOn, appId, mchid, publicKeyId, publicKey, noticeOrigin };
}

const pem = (placeholder: string) => (
  <Input.TextArea rows={4} maxLength={8_000} spellCheck={false} placeholder={placeholder} />
);

function fieldsOf(setting: PaymentSetting): FieldOf<typeof PaymentSettingDraft>[] {
  const isNew = setting.editVersion === 0;
  const required = (label: string) => (value: unknown) =>
    isNew && !value ? `${label}不能为空` : null;
  const kept = isNew ? "" : "；留空则保持不变";
  return [
    {
      section: "商户",
      name: "isOn",
      label: "在线充值",
      control: <Switch checkedChildren="开启" unCheckedChildren="关闭" />,
      valueName: "checked",
      hint: "关闭后小程序不再发起新的充值；已发起的仍会入账",
    },
    { name: "mchid", label: "商户号", control: <Input inputMode="numeric" /> },
    {
      name: "appId",
      label: "小程序 AppID",
      control: <Input placeholder="wx 开头，18 位" />,
      hint: "须在商户平台与商户号关联",
    },
    {
      section: "商户 API 证书",
      name: "certificate",
      label: "证书（apiclient_cert.pem）",
      control: pem("-----BEGIN CERTIFICATE-----"),
      hint: `序列号和有效期从证书中读取${kept}`,
      problem: required("证书"),
    },
    {
      name: "privateKey",
      label: "私钥（apiclient_key.pem）",
      control: pem("-----BEGIN PRIVATE KEY-----"),
      hint: `加密保存，不再显示；须与证书一起更换${kept}`,
      problem: required("私钥"),
    },
    {
      name: "apiV3Key",
      label: "APIv3 密钥",
      control: <Input.Password autoComplete="off" placeholder="32 位字母和数字" />,
      hint: `加密保存，不再显示${kept}`,
      problem: required("APIv3 密钥"),
    },
    {
      section: "微信支付公钥",
      name: "publicKeyId",
      label: "公钥 ID",
      control: <Input placeholder="PUB_KEY_ID_ 开头" />,
      hint: "商户平台还没有公钥时，公钥 ID 与公钥都留空：只用平台证书验证。切换期间两种签名都接受，平台证书自动下载",
    },
    {
      name: "publicKey",
      label: "公钥（pub_key.pem）",
      control: pem("-----BEGIN PUBLIC KEY-----"),
    },
    {
      section: "支付通知",
      name: "noticeOrigin",
      label: "通知域名",
      control: <Input placeholder="https://cabinet.example.com" />,
      hint: <NoticeHint tenantId={setting.tenantId} />,
    },
  ];
}

function NoticeHint({ tenantId }: { tenantId: number }) {
  const origin = Form.useWatch<string | undefined>("noticeOrigin");
  const isHttps = /^https:\/\/[^/]+$/.test(origin ?? "");
  return isHttps
    ? `微信将把结果发到 ${noticeUrl(origin ?? "", tenantId)}`
    : "本系统在公网上的 https 域名，末尾不带斜杠；微信把支付与退款结果发到这里";
}
