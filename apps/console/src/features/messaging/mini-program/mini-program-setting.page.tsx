// 小程序配置: the WeChat mini-program for sign-in, and whether WeChat accepts its secret.
import {
  type MiniProgramSetting,
  miniProgramContract,
} from "@cabinet/contract/messaging/mini-program/mini-program.contract.ts";
import {
  isSealedMode,
  pushModeText,
  pushUrl,
} from "@cabinet/contract/messaging/mini-program/mini-program.rules.ts";
import { Copyable, SettingPage, useSettingTenant } from "../../../domain/setting-page.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { Age, Status } from "../../../ui/display/status.tsx";
import { MiniProgramSettingForm } from "./mini-program-setting-form.tsx";

export default function MiniProgramSettingPage() {
  const tenantId = useSettingTenant();
  const ofTenant = tenantId ? { tenantId } : {};
  const { setting: read, checkSetting } = miniProgramContract;
  const answer = useCall(read, { query: ofTenant });
  const check = useWrite(checkSetting, { toasts: true });
  return (
    <SettingPage
      title="小程序配置"
      answer={answer}
      mayWrite={usePermission("mini-program:write")}
      check={{ isBusy: check.isPending, ask: () => check.mutate({ body: ofTenant }) }}
      pendingText="正在向微信换取一次访问凭据…"
      empty={{
        title: "未配置微信小程序",
        hint: "未配置时，用户不能用微信登录，只能用手机号和短信验证码登录。",
      }}
      form={(frame) => <MiniProgramSettingForm {...frame} tenantId={tenantId} />}
    >
      {(setting) => (
        <>
          <DrawerSection title="小程序">
            <Facts facts={factsOf(setting)} />
          </DrawerSection>
          <DrawerSection title="消息推送">
            <Facts facts={pushFacts(setting)} />
          </DrawerSection>
          <DrawerSection title="在小程序后台完成">
            <Facts facts={tasksOf()} />
          </DrawerSection>
        </>
      )}
    </SettingPage>
  );
}

function factsOf(setting: MiniProgramSetting): DescriptionItem[] {
  const { tenantId, appId, hasSecret, lastSignInAt, editedAt, editedBy, paymentAppId } = setting;
  return [
    ["小程序 AppID", <code key="id">{appId}</code>],
    ["AppSecret", hasSecret ? "已保存（不回显）" : "未填写"],
    ["租户编号（登录时提交）", <Copyable key="tenant" text={String(tenantId)} />],
    ["在线充值", <Payment key="pay" appId={appId} paymentAppId={paymentAppId} />],
    ["最近微信登录", lastSignInAt ? <Age key="age" time={lastSignInAt} /> : "暂无微信登录记录"],
    ["最近修改", `${formatDateTime(editedAt)}${editedBy && `，${editedBy}`}`],
  ];
}

/** An openid is valid in one mini-program only, so payment must use the same AppID. */
function Payment({ appId, paymentAppId }: { appId: string; paymentAppId: string | null }) {
  if (paymentAppId === null) return "未开启，可在“支付配置”中开启";
  if (paymentAppId === appId) return <Status tone="good">与支付配置一致</Status>;
  return (
    <>
      <Status tone="doubtful">与支付配置不一致</Status>
      <div>
        支付配置中是 <code>{paymentAppId}</code>，两处改为同一个后，用户才能充值
      </div>
    </>
  );
}

function pushFacts(setting: MiniProgramSetting): DescriptionItem[] {
  const { tenantId, pushMode, hasPushToken, hasPushKey } = setting;
  const { origin, protocol } = window.location;
  if (pushMode === "OFF") {
    return [["接收推送", "未开启：收不到订阅消息的送达回执，也不知道用户何时退订"]];
  }
  const saved = (isSaved: boolean) => (isSaved ? "已保存（不回显）" : "未填写");
  return [
    ["接收推送", <PushState key="state" setting={setting} />],
    [
      "URL（服务器地址）",
      protocol === "https:" ? (
        <Copyable key="url" text={pushUrl(origin, tenantId)} />
      ) : (
        <>
          <code>{pushUrl("", tenantId)}</code>
          <div>前面加上本系统在公网上的 https 域名；微信不接受 http</div>
        </>
      ),
    ],
    ["消息加密方式", pushModeText[pushMode]],
    ["令牌 Token", saved(hasPushToken)],
    ...(isSealedMode(pushMode)
      ? [["消息加密密钥", saved(hasPushKey)] satisfies DescriptionItem]
      : []),
    ["数据格式", "JSON 与 XML 均可"],
  ];
}

function PushState({ setting }: { setting: MiniProgramSetting }) {
  const { pushProvenAt, pushSeenAt, pushTrouble, pushTroubleAt } = setting;
  if (pushTroubleAt) {
    return (
      <>
        <Status tone="bad">有推送没有接受</Status>
        <div>
          {pushTrouble}（<Age time={pushTroubleAt} />）
        </div>
      </>
    );
  }
  if (pushSeenAt) {
    return (
      <>
        <Status tone="good">正常</Status>
        <div>
          最近收到：
          <Age time={pushSeenAt} />
        </div>
      </>
    );
  }
  if (pushProvenAt) return <Status tone="good">微信已验证推送地址</Status>;
  return (
    <>
      <Status tone="waiting">等待微信验证</Status>
      <div>在小程序后台“开发管理 › 消息推送”中填写下面的地址和同样的密钥，提交即验证</div>
    </>
  );
}

function tasksOf(): DescriptionItem[] {
  const { origin, protocol } = window.location;
  return [
    [
      "request 合法域名",
      protocol === "https:" ? (
        <Copyable key="origin" text={origin} />
      ) : (
        "填写本系统在公网上的 https 域名；微信不接受 http"
      ),
    ],
    ["IP 白名单", "加入本服务器的公网 IP；未加入时，验证结果会指出是哪一个"],
    ["获取手机号", "完成微信认证，并在隐私保护指引中声明收集手机号"],
  ];
}
