// 个人设置: profile, password, preferences and sessions of the signed-in account.
import {
  accountContract,
  type Profile,
} from "@cabinet/contract/identity/account/account.contract.ts";
import { THEMES, themeText } from "@cabinet/contract/identity/account/account.rules.ts";
import { userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import { secondFactorContract } from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import Switch from "antd/es/switch";
import { useState } from "react";
import { resetColumns, useChosenColumns } from "../../../kit/column-settings.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { chooseSwitch, useSwitch } from "../../../kit/switches.ts";
import { chooseTheme, useTheme } from "../../../kit/theme.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { type DescriptionItem, Facts } from "../../../ui/display/detail-drawer.tsx";
import { RecordLoading } from "../../../ui/display/one-record.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { ChoiceBar } from "../../../ui/form/choice-bar.tsx";
import { FIRST_DRAWER_PAGE } from "../../../ui/list/drawer-list.tsx";
import { SecondFactorCard } from "../second-factor/index.ts";
import { OwnSessions } from "./own-sessions.tsx";
import { OwnSignIns } from "./own-sign-ins.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProfileForm } from "./profile-form.tsx";
import "../../../ui/display/basics.css";
import "./account.css";

/** Waits for all cards: one that grows would push those below it. */
export default function AccountPage() {
  const answers = [
    useCall(accountContract.profile),
    useCall(secondFactorContract.get),
    useCall(accountContract.sessions),
    useCall(accountContract.signIns, { query: FIRST_DRAWER_PAGE }),
  ];
  if (answers.some(({ isPending }) => isPending)) return <RecordLoading />;
  return (
    <div className="account">
      <ProfileCard />
      <SecondFactorCard />
      <AppearanceCard />
      <OwnSessions />
      <OwnSignIns />
    </div>
  );
}

function ProfileCard() {
  const answer = useCall(accountContract.profile);
  const { data: profile } = answer;
  const [edited, setEdited] = useState<Profile | null>(null);
  const [isChangingPassword, setIsChangingPassword] = useState(false);
  return (
    <PageCard
      title="个人资料"
      extra={
        profile && (
          <span className="account-buttons">
            <Button onClick={() => setIsChangingPassword(true)}>修改密码</Button>
            <Button type="primary" onClick={() => setEdited(profile)}>
              修改资料
            </Button>
          </span>
        )
      }
    >
      {profile ? <Facts facts={factsOf(profile)} /> : <AnswerState answer={answer} />}
      {edited && <ProfileForm open profile={edited} onClose={() => setEdited(null)} />}
      <PasswordForm open={isChangingPassword} onClose={() => setIsChangingPassword(false)} />
    </PageCard>
  );
}

function factsOf(profile: Profile): DescriptionItem[] {
  const { username, displayName, phone, userType, tenantName, roles, lastSignInAt } = profile;
  return [
    ["账号", username],
    ["姓名", displayName],
    ["手机号", phone || null],
    ["租户", tenantName],
    ["账号类型", userTypeText[userType]],
    ["角色", userType === 0 ? "全部权限" : roles.join("、") || null],
    ["开通时间", formatDateTime(profile.createdAt)],
    ["最近登录", lastSignInAt && formatDateTime(lastSignInAt)],
  ];
}

function AppearanceCard() {
  const theme = useTheme();
  const hasTabs = useSwitch("tagView");
  const isCompact = useSwitch("isCompact");
  const chosen = useChosenColumns();
  const { ask, dialog } = useAction();
  const reset = () =>
    ask({
      title: "恢复所有列表的默认列",
      effect: `您在 ${chosen} 个列表中隐藏的列会重新显示，列的顺序也恢复默认；在您登录的其他浏览器上同样生效。`,
      confirm: "恢复默认",
      run: async () => resetColumns(),
      done: "所有列表的列已恢复默认",
    });
  return (
    <PageCard title="界面偏好">
      <dl className="account-choices">
        <div>
          <dt>外观</dt>
          <dd>
            <ChoiceBar
              label="外观"
              choices={THEMES.map((word) => [word, themeText[word]] as const)}
              chosen={theme}
              onChoose={chooseTheme}
            />
          </dd>
        </div>
        <div>
          <dt>页签栏</dt>
          <dd>
            <Switch
              aria-label="页签栏"
              checked={hasTabs}
              onChange={(isOn) => chooseSwitch("tagView", isOn)}
            />
            <span className="ui-cell-none">
              在页面上方显示打开过的页面，切换时保留各页面的筛选条件
            </span>
          </dd>
        </div>
        <div>
          <dt>表格密度</dt>
          <dd>
            <ChoiceBar
              label="表格密度"
              choices={[
                ["usual", "标准"],
                ["compact", "紧凑"],
              ]}
              chosen={isCompact ? "compact" : "usual"}
              onChoose={(density) => chooseSwitch("isCompact", density === "compact")}
            />
          </dd>
        </div>
        <div>
          <dt>列设置</dt>
          <dd>
            {chosen > 0 ? (
              <>
                <span>已自定义 {chosen} 个列表的列</span>
                <Button size="small" onClick={reset}>
                  全部恢复默认
                </Button>
              </>
            ) : (
              <span className="ui-cell-none">均为默认；可在列表右上角的“列设置”中隐藏和排序</span>
            )}
          </dd>
        </div>
      </dl>
      <p className="account-note">
        外观、页签栏、表格密度和列设置随账号保存，换一个浏览器登录后同样生效。
      </p>
      {dialog}
    </PageCard>
  );
}
