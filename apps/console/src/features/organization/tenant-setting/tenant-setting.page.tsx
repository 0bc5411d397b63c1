// 租户其他配置: rider information, console display, pricing and map key.

import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import { USUAL_SIGN } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { pricingContract } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import { pricingText } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import {
  type TenantSetting,
  tenantSettingContract,
} from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import { type ReactNode, useState } from "react";
import { PricingDialog } from "../../../domain/pricing/index.ts";
import { TenantChoice, useSettingTenant } from "../../../domain/setting-page.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { Status } from "../../../ui/display/status.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { Logo } from "./logo.tsx";
import { TenantSettingForm } from "./tenant-setting-form.tsx";
import "../../../ui/display/basics.css";
import "./tenant-setting.css";

export default function TenantSettingPage() {
  const tenantId = useSettingTenant();
  const may = usePermissions();
  const answer = useCall(tenantSettingContract.setting, { query: tenantId ? { tenantId } : {} });
  const { data: setting } = answer;
  useLiveRefresh("setting", answer.refetch);
  // Snapshot the form was opened with: its `editVersion` guards against concurrent saves.
  const [edited, setEdited] = useState<TenantSetting | null>(null);
  return (
    <PageCard
      title="租户其他配置"
      className="ui-card-full"
      extra={
        <span className="ui-setting-head">
          <TenantChoice current={setting?.tenantId} />
          {setting && may("tenant-setting:write") && (
            <Button type="primary" onClick={() => setEdited(setting)}>
              修改
            </Button>
          )}
        </span>
      }
    >
      {!setting ? (
        <AnswerState answer={answer} />
      ) : (
        <div className="ui-setting">
          <DrawerSection title="面向骑手与取件人">
            <Facts facts={peopleFacts(setting)} />
          </DrawerSection>
          <DrawerSection title="后台界面">
            <Facts facts={consoleFacts(setting)} />
          </DrawerSection>
          <DrawerSection title="个人信息">
            <Facts facts={privacyFacts(setting)} />
          </DrawerSection>
          <DrawerSection title="账号安全">
            <Facts facts={securityFacts(setting)} />
          </DrawerSection>
          {may("cabinet:read") && <Pricing setting={setting} mayWrite={may("pricing:write")} />}
          <DrawerSection title="地图服务">
            <Facts facts={mapFacts(setting)} />
          </DrawerSection>
          {setting.editedAt && (
            <p className="tenant-setting-edited">
              最近修改：{formatDateTime(setting.editedAt)}
              {setting.editedBy && `，${setting.editedBy}`}
            </p>
          )}
        </div>
      )}
      {edited && <TenantSettingForm open setting={edited} onClose={() => setEdited(null)} />}
    </PageCard>
  );
}

const OnOff = ({ isOn, on, off }: { isOn: boolean; on: string; off: string }) => (
  <Status tone={isOn ? "good" : "quiet"}>{isOn ? on : off}</Status>
);

/** A value with its explanation, or with its default while empty. */
const Noted = ({ children, note }: { children: ReactNode; note: ReactNode }) => (
  <>
    <div>{children}</div>
    <div className="tenant-setting-note">{note}</div>
  </>
);

const unset = <span className="ui-cell-none">未设置</span>;

function peopleFacts({
  servicePhone,
  openingHours,
  smsSign,
  tellsOverdue: sendsOverdueNotices,
  codesPerHour,
}: TenantSetting): DescriptionItem[] {
  return [
    [
      "客服电话",
      <Noted key="phone" note="设备自己没有填写客服电话时，用户端显示此号码">
        {servicePhone || unset}
      </Noted>,
    ],
    [
      "默认营业时间",
      <Noted key="hours" note="设备和门店都没有填写时，用户端显示此时间">
        {openingHours || unset}
      </Noted>,
    ],
    [
      "短信签名",
      <Noted
        key="sign"
        note={smsSign ? "放在每条短信的开头" : `未设置，短信以“【${USUAL_SIGN}】”开头`}
      >
        {smsSign ? `【${smsSign}】` : unset}
      </Noted>,
    ],
    [
      "滞留提醒短信",
      <Noted key="overdue" note="物品超过滞留时限时，给取件人发一条短信">
        <OnOff isOn={sendsOverdueNotices} on="发送" off="不发送" />
      </Noted>,
    ],
    ["短信验证码", `每小时最多 ${codesPerHour} 条`],
  ];
}

function securityFacts(setting: TenantSetting): DescriptionItem[] {
  const { adminsNeedFactor, refundProofFen, reviewFen, proofMinutes } = setting;
  return [
    ["管理员两步验证", <OnOff key="factor" isOn={adminsNeedFactor} on="要求" off="不要求" />],
    ["资金再次验证", `账号 24 小时内累计超过 ${yuanOfFen(refundProofFen)} 元`],
    [
      "资金双人复核",
      reviewFen === 0 ? "不复核" : `账号 24 小时内累计超过 ${yuanOfFen(reviewFen)} 元`,
    ],
    ["身份验证有效", `${proofMinutes} 分钟`],
  ];
}

function privacyFacts(setting: TenantSetting): DescriptionItem[] {
  const {
    revealsPerDay,
    sharesPeople,
    keepPeopleDays,
    keepMessagesDays,
    keepPhotosDays,
    keepLogsDays,
    keepEventsDays,
    keepCommandsDays,
    keepAuditDays,
  } = setting;
  return [
    [
      "查看完整手机号",
      <Noted key="reveals" note="骑手与取件人的号码；每次须选原因，记入操作审计">
        每个账号每天 {revealsPerDay} 次
      </Noted>,
    ],
    [
      "各门店可查看所有用户",
      <Noted key="shares" note="不允许时，限定门店的账号只看到在这些门店存取过的用户及其钱包">
        <OnOff isOn={sharesPeople} on="允许" off="不允许" />
      </Noted>,
    ],
    [
      "到期删除",
      <Noted key="keep" note="有余额、卡、在柜物品或欠费的用户保留；账目不删除">
        不再使用的用户 {keepPeopleDays} 天，消息内容 {keepMessagesDays} 天，故障照片{" "}
        {keepPhotosDays} 天，登录日志 {keepLogsDays} 天，状态日志 {keepEventsDays} 天，操作日志{" "}
        {keepCommandsDays} 天，操作审计 {keepAuditDays} 天
      </Noted>,
    ],
  ];
}

function consoleFacts({ logoId, isHint }: TenantSetting): DescriptionItem[] {
  return [
    [
      "Logo",
      <Noted key="logo" note={logoId ? "显示在菜单上方" : "未上传，菜单上方显示系统 Logo"}>
        {logoId ? <Logo id={logoId} /> : unset}
      </Noted>,
    ],
    [
      "设备异常提醒",
      <Noted key="hint" note="有新的待受理故障时，在后台页面上弹出提醒">
        <OnOff isOn={isHint} on="开启" off="关闭" />
      </Noted>,
    ],
  ];
}

function mapFacts({ mapKey, hasSharedMap }: TenantSetting): DescriptionItem[] {
  if (mapKey) {
    return [
      ["高德地图 Key", <code key="key">{mapKey}</code>],
      ["安全密钥", "已保存（不回显）"],
    ];
  }
  const standIn = hasSharedMap
    ? "未填写，使用系统公用的 Key"
    : "未填写，系统也没有公用的 Key：门店与设备的位置须手工填写坐标";
  return [["高德地图 Key", standIn]];
}

/** The tenant's pricing rule, which applies if neither store nor cabinet has one. */
function Pricing({ setting, mayWrite }: { setting: TenantSetting; mayWrite: boolean }) {
  const { tenantId, tenantName: name } = setting;
  const { data } = useCall(pricingContract.get, { query: { tenantId } });
  const [isEditing, setIsEditing] = useState(false);
  return (
    <DrawerSection title="免费时长与计费">
      {data && (
        <p className="tenant-setting-line">
          {data.rule ? pricingText(data.rule) : "未设置，存放免费"}
          <span className="tenant-setting-note">
            {data.rule
              ? `${data.cabinets} 台设备按此计费；门店和设备可以单独设置`
              : "门店和设备可以单独设置"}
          </span>
        </p>
      )}
      {mayWrite && <Button onClick={() => setIsEditing(true)}>设置计费规则</Button>}
      <PricingDialog
        target={isEditing ? { tenantId, name } : null}
        onClose={() => setIsEditing(false)}
      />
    </DrawerSection>
  );
}
