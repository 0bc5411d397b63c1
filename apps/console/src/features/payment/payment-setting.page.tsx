// 支付配置: with which merchant account people top up online, whether its keys work, and where WeChat tells of payments.
import {
  type PaymentSetting,
  paymentContract,
} from "@cabinet/contract/payment/payment.contract.ts";
import {
  CERTIFICATE_WARNING_DAYS,
  type PaymentCheckState,
  paymentCheckText,
} from "@cabinet/contract/payment/payment.rules.ts";
import { tenantContract } from "@cabinet/contract/tenant/tenant.contract.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { formatDateTime } from "../../kit/format.ts";
import { useIsPlatform, usePermission } from "../../kit/permission.ts";
import { useCall, useWrite } from "../../kit/query.ts";
import { copyText } from "../../ui/copy-text.ts";
import { DrawerSection, type Fact, Facts } from "../../ui/detail-drawer.tsx";
import { OneSelect } from "../../ui/one-select.tsx";
import { PageCard } from "../../ui/page-card.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { Age, Status } from "../../ui/status.tsx";
import type { Tone } from "../../ui/tone.rules.ts";
import { PaymentSettingForm } from "./payment-setting-form.tsx";
import "../../ui/basics.css";
import "./payment.css";

const POLL_MS = 1_500;
const DAY_MS = 86_400_000;

export default function PaymentSettingPage() {
  const isPlatform = useIsPlatform();
  const [params, setParams] = useSearchParams();
  const tenantId = isPlatform ? Number(params.get("tenantId")) || undefined : undefined;
  const [isEditing, setIsEditing] = useState(false);
  const mayWrite = usePermission("payment:write");
  const [isChecking, setIsChecking] = useState(false);
  const answer = useCall(
    paymentContract.setting,
    { query: tenantId ? { tenantId } : {} },
    { isQuiet: true, keepPreviousData: true, refetchInterval: isChecking ? POLL_MS : false },
  );
  const { data: setting, error } = answer;
  // Asks again until WeChat has answered.
  const isPending = setting?.checkState === "PENDING";
  if (isPending !== isChecking) setIsChecking(isPending);
  const isSet = (setting?.editVersion ?? 0) > 0;
  return (
    <PageCard
      title="支付配置"
      className="ui-card-full"
      extra={
        <span className="payment-head">
          {isPlatform && (
            <TenantChoice
              value={tenantId ?? setting?.tenantId}
              onChange={(id) => setParams(id ? { tenantId: String(id) } : {})}
            />
          )}
          {isSet && mayWrite && (
            <>
              <CheckButton tenantId={tenantId} isBusy={isPending} />
              <Button type="primary" onClick={() => setIsEditing(true)}>
                修改
              </Button>
            </>
          )}
        </span>
      }
    >
      {error && !setting ? (
        <ErrorState message={error.message} onRetry={() => void answer.refetch()} />
      ) : !setting ? (
        <output className="ui-cell-none">正在加载…</output>
      ) : isSet ? (
        <Setting setting={setting} />
      ) : (
        <EmptyState
          title="还没有配置微信支付"
          hint="未配置时，用户不能在线充值；收到的钱由运营人员在“账户管理 › 余额充值”中录入。"
        >
          {mayWrite && (
            <Button type="primary" onClick={() => setIsEditing(true)}>
              填写配置
            </Button>
          )}
        </EmptyState>
      )}
      {setting && (
        <PaymentSettingForm
          open={isEditing}
          setting={setting}
          tenantId={tenantId}
          onClose={() => setIsEditing(false)}
        />
      )}
    </PageCard>
  );
}

interface TenantChoiceProps {
  value: number | undefined;
  onChange: (id: number | undefined) => void;
}

function TenantChoice({ value, onChange }: TenantChoiceProps) {
  const tenants = useCall(tenantContract.options, {}, { staleTime: 60_000 });
  return (
    <OneSelect
      answer={tenants}
      label="租户"
      placeholder="选择租户"
      {...(value && { value })}
      onChange={onChange}
    />
  );
}

function CheckButton({ tenantId, isBusy }: { tenantId: number | undefined; isBusy: boolean }) {
  const check = useWrite(paymentContract.checkSetting, {
    invalidates: [paymentContract.setting],
  });
  return (
    <Button
      loading={isBusy || check.isPending}
      onClick={() => check.mutate({ body: tenantId ? { tenantId } : {} })}
    >
      验证配置
    </Button>
  );
}

const checkTone: Record<PaymentCheckState, Tone> = {
  NONE: "quiet",
  PENDING: "waiting",
  OK: "good",
  FAILED: "bad",
};

function Setting({ setting }: { setting: PaymentSetting }) {
  const { checkState, checkText, checkedAt } = setting;
  return (
    <div className="payment-setting">
      <section className="payment-check" data-state={checkState} role="status">
        <Status tone={checkTone[checkState]}>{paymentCheckText[checkState]}</Status>
        <span className="payment-check-text">
          {checkState === "PENDING" ? "正在向微信支付发出一次真实请求…" : checkText}
        </span>
        {checkedAt && checkState !== "PENDING" && <Age time={checkedAt} />}
      </section>
      <DrawerSection title="商户">
        <Facts
          facts={[
            [
              "在线充值",
              <Status key="on" tone={setting.isOn ? "good" : "quiet"}>
                {setting.isOn ? "已开启" : "已关闭，充值由运营人员录入"}
              </Status>,
            ],
            ["商户号", setting.mchid],
            ["小程序 AppID", setting.appId],
            [
              "最近修改",
              `${formatDateTime(setting.editedAt)}${setting.editedBy && `，${setting.editedBy}`}`,
            ],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="密钥与证书">
        <Facts facts={keyFacts(setting)} />
      </DrawerSection>
      <DrawerSection title="支付通知">
        <Facts facts={noticeFacts(setting)} />
      </DrawerSection>
    </div>
  );
}

function keyFacts(setting: PaymentSetting): Fact[] {
  return [
    ["商户 API 证书序列号", <code key="serial">{setting.certificateSerial}</code>],
    ["证书有效期至", <Expiry key="expiry" at={setting.certificateExpiresAt} />],
    ["商户 API 私钥", setting.hasPrivateKey ? "已保存（不回显）" : "未填写"],
    ["APIv3 密钥", setting.hasApiV3Key ? "已保存（不回显）" : "未填写"],
    ["微信支付公钥 ID", <code key="id">{setting.publicKeyId}</code>],
    ["微信支付公钥", "已保存"],
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

function noticeFacts({ noticeUrl, lastNoticeAt }: PaymentSetting): Fact[] {
  return [
    [
      "通知地址",
      <span key="url" className="payment-url">
        <code>{noticeUrl}</code>
        <button type="button" className="ui-link" onClick={() => void copyText(noticeUrl)}>
          复制
        </button>
      </span>,
    ],
    ["最近收到通知", lastNoticeAt ? <Age key="age" time={lastNoticeAt} /> : "还没有收到过"],
  ];
}
