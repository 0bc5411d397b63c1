// 支付配置: merchant account for online top-ups, key check and WeChat's notice URL.
import {
  type PaymentSetting,
  paymentContract,
} from "@cabinet/contract/money/payment/payment.contract.ts";
import { CERTIFICATE_WARNING_DAYS } from "@cabinet/contract/money/payment/payment.rules.ts";
import { Copyable, SettingPage, useSettingTenant } from "../../../domain/setting-page.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { Age, Status } from "../../../ui/display/status.tsx";
import { PaymentSettingForm } from "./payment-setting-form.tsx";

const DAY_MS = 86_400_000;

export default function PaymentSettingPage() {
  const tenantId = useSettingTenant();
  const ofTenant = tenantId ? { tenantId } : {};
  const { setting: read, checkSetting } = paymentContract;
  const answer = useCall(read, { query: ofTenant });
  const check = useWrite(checkSetting, { toasts: true });
  return (
    <SettingPage
      title="支付配置"
      answer={answer}
      mayWrite={usePermission("payment:write")}
      check={{ isBusy: check.isPending, ask: () => check.mutate({ body: ofTenant }) }}
      pendingText="正在向微信支付发出一次真实请求…"
      empty={{
        title: "未配置微信支付",
        hint: "未配置时，用户不能在线充值；收到的钱由运营人员在“账户管理 › 余额充值”中录入。",
      }}
      form={(frame) => <PaymentSettingForm {...frame} tenantId={tenantId} />}
    >
      {(setting) => (
        <>
          <DrawerSection title="商户">
            <Facts facts={merchantFacts(setting)} />
          </DrawerSection>
          <DrawerSection title="密钥与证书">
            <Facts facts={keyFacts(setting)} />
          </DrawerSection>
          <DrawerSection title="支付通知">
            <Facts facts={noticeFacts(setting)} />
          </DrawerSection>
        </>
      )}
    </SettingPage>
  );
}

function merchantFacts({
  isOn,
  mchid,
  appId,
  editedAt,
  editedBy,
}: PaymentSetting): DescriptionItem[] {
  return [
    [
      "在线充值",
      <Status key="on" tone={isOn ? "good" : "quiet"}>
        {isOn ? "已开启" : "已关闭，充值由运营人员录入"}
      </Status>,
    ],
    ["商户号", mchid],
    ["小程序 AppID", <code key="app">{appId}</code>],
    ["最近修改", `${formatDateTime(editedAt)}${editedBy && `，${editedBy}`}`],
  ];
}

function keyFacts(setting: PaymentSetting): DescriptionItem[] {
  return [
    ["商户 API 证书序列号", <code key="serial">{setting.certificateSerial}</code>],
    ["证书有效期至", <Expiry key="expiry" at={setting.certificateExpiresAt} />],
    ["商户 API 私钥", setting.hasPrivateKey ? "已保存（不回显）" : "未填写"],
    ["APIv3 密钥", setting.hasApiV3Key ? "已保存（不回显）" : "未填写"],
    [
      "微信支付公钥 ID",
      setting.publicKeyId ? <code key="id">{setting.publicKeyId}</code> : "未填写",
    ],
    ["微信支付公钥", setting.publicKey ? "已保存" : "未填写，只用平台证书验证"],
    ["微信支付平台证书", "自动下载并更新"],
  ];
}

function Expiry({ at }: { at: string | null }) {
  if (!at) return "—";
  const days = Math.floor((Date.parse(at) - Date.now()) / DAY_MS);
  const day = formatDateTime(at).slice(0, 10);
  if (days < 0) return <Status tone="bad">{day}，已过期，请更换证书</Status>;
  if (days > CERTIFICATE_WARNING_DAYS) return `${day}，还有 ${days} 天`;
  return <Status tone="doubtful">{`${day}，还有 ${days} 天，请尽快更换`}</Status>;
}

function noticeFacts({ noticeUrl, lastNoticeAt }: PaymentSetting): DescriptionItem[] {
  return [
    ["通知地址", <Copyable key="url" text={noticeUrl} />],
    ["最近收到通知", lastNoticeAt ? <Age key="age" time={lastNoticeAt} /> : "暂未收到"],
  ];
}
