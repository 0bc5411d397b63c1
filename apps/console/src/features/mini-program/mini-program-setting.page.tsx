// 小程序配置: with which mini-program of WeChat people sign in, and whether WeChat takes its secret.
import {
  type MiniProgramSetting,
  miniProgramContract,
} from "@cabinet/contract/mini-program/mini-program.contract.ts";
import { formatDateTime } from "../../kit/format.ts";
import { usePermission } from "../../kit/permission.ts";
import { useCall, useWrite } from "../../kit/query.ts";
import { DrawerSection, type Fact, Facts } from "../../ui/detail-drawer.tsx";
import { Copyable, SettingPage, useSettingTenant } from "../../ui/setting-page.tsx";
import { Age, Status } from "../../ui/status.tsx";
import { MiniProgramSettingForm } from "./mini-program-setting-form.tsx";

export default function MiniProgramSettingPage() {
  const tenantId = useSettingTenant();
  const ofTenant = tenantId ? { tenantId } : {};
  const { setting: read, checkSetting } = miniProgramContract;
  const answer = useCall(read, { query: ofTenant }, { isQuiet: true, keepPreviousData: true });
  const check = useWrite(checkSetting, { invalidates: [read] });
  return (
    <SettingPage
      title="小程序配置"
      answer={answer}
      mayWrite={usePermission("mini-program:write")}
      check={{ isBusy: check.isPending, ask: () => check.mutate({ body: ofTenant }) }}
      pendingText="正在向微信换取一次访问凭据…"
      empty={{
        title: "还没有配置微信小程序",
        hint: "未配置时，用户不能用微信登录，只能用手机号和短信验证码登录。",
      }}
      form={(frame) => <MiniProgramSettingForm {...frame} tenantId={tenantId} />}
    >
      {(setting) => (
        <>
          <DrawerSection title="小程序">
            <Facts facts={factsOf(setting)} />
          </DrawerSection>
          <DrawerSection title="在小程序后台完成">
            <Facts facts={tasksOf()} />
          </DrawerSection>
        </>
      )}
    </SettingPage>
  );
}

function factsOf(setting: MiniProgramSetting): Fact[] {
  const { tenantId, appId, hasSecret, lastSignInAt, editedAt, editedBy, paymentAppId } = setting;
  return [
    ["小程序 AppID", <code key="id">{appId}</code>],
    ["AppSecret", hasSecret ? "已保存（不回显）" : "未填写"],
    ["租户编号（登录时提交）", <Copyable key="tenant" text={String(tenantId)} />],
    ["在线充值", <Payment key="pay" appId={appId} paymentAppId={paymentAppId} />],
    ["最近微信登录", lastSignInAt ? <Age key="age" time={lastSignInAt} /> : "还没有人用微信登录过"],
    ["最近修改", `${formatDateTime(editedAt)}${editedBy && `，${editedBy}`}`],
  ];
}

/** People pay by the openid that they have in one mini-program. */
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

function tasksOf(): Fact[] {
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
