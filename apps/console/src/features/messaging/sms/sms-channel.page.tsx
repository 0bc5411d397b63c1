// 短信通道: carrier of the installation's text messages, with its credential check.
import { smsCarrierText } from "@cabinet/contract/messaging/sms/sms-carrier.rules.ts";
import {
  type SmsChannel,
  smsChannelContract,
} from "@cabinet/contract/messaging/sms/sms-channel.contract.ts";
import { SettingPage } from "../../../domain/setting-page.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { Age, Status } from "../../../ui/display/status.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { SmsChannelForm } from "./sms-channel-form.tsx";

const { channel: read, checkChannel } = smsChannelContract;

export default function SmsChannelPage() {
  const answer = useCall(read);
  const check = useWrite(checkChannel, { toasts: true });
  useLiveRefresh("sms", answer.refetch);
  return (
    <SettingPage<SmsChannel>
      title="短信通道"
      views={<ViewSwitch />}
      answer={answer}
      mayWrite
      check={{ isBusy: check.isPending, ask: () => check.mutate({}) }}
      pendingText="正在向短信通道核对密钥与签名…"
      empty={{
        title: "未配置短信通道",
        hint: "未配置时，验证码、取件码与通知只写入发件箱，不会发到手机，也不扣租户的条数。",
      }}
      form={(frame) => <SmsChannelForm {...frame} />}
    >
      {(setting) => (
        <>
          <DrawerSection title="通道">
            <Facts facts={factsOf(setting)} />
          </DrawerSection>
          <DrawerSection title="在短信控制台完成">
            <Facts facts={tasksOf(setting)} />
          </DrawerSection>
        </>
      )}
    </SettingPage>
  );
}

function factsOf(setting: SmsChannel): DescriptionItem[] {
  const { carrier, isOn, keyId, sign, appId, waiting, lastSentAt, editedAt, editedBy } = setting;
  return [
    ["短信通道", smsCarrierText[carrier]],
    [
      "状态",
      isOn ? (
        <Status key="on" tone="good">
          启用
        </Status>
      ) : (
        <Status key="off" tone="quiet">
          停用，短信只写入发件箱
        </Status>
      ),
    ],
    ["访问密钥 ID", <code key="id">{keyId}</code>],
    ["访问密钥", "已保存（不回显）"],
    ...(carrier === "TENCENT"
      ? ([["短信应用 SdkAppId", <code key="app">{appId}</code>]] as DescriptionItem[])
      : []),
    ["默认签名", `【${sign}】`],
    ["待发送", `${formatNumber(waiting)} 条`],
    ["最近发出", lastSentAt ? <Age key="sent" time={lastSentAt} /> : "近 30 天没有发出过"],
    ["最近修改", `${formatDateTime(editedAt)}${editedBy && `，${editedBy}`}`],
  ];
}

const carrierTasks: Record<SmsChannel["carrier"], { rights: string; receipts: string }> = {
  ALIYUN: {
    rights: "为密钥所属的 RAM 用户授予 AliyunDysmsFullAccess，或发送与查询短信的权限",
    receipts: "无须设置：本系统按发送流水号查询",
  },
  TENCENT: {
    rights: "为密钥所属的子用户授予 QcloudSMSFullAccess",
    receipts: "请腾讯云短信小助手开通“拉取单个号码短信下发状态”与“SessionContext 回传”",
  },
};

function tasksOf({ carrier }: SmsChannel): DescriptionItem[] {
  const { rights, receipts } = carrierTasks[carrier];
  return [
    ["授权", rights],
    ["签名", "默认签名与各租户的短信签名都要在同一账号下通过审核"],
    ["模板", "在“消息模板配置”中填写各场景的模板代码；没有模板代码的场景不会发出"],
    ["送达回执", receipts],
  ];
}
