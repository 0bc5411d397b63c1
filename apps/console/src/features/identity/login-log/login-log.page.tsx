// 登录日志: sign-in attempts with outcome, address and client.
import {
  loginLogContract,
  type SignInAttempt,
} from "@cabinet/contract/identity/login-log/login-log.contract.ts";
import {
  isSuccess,
  signInOutcomeText,
} from "@cabinet/contract/identity/login-log/login-log.rules.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";

const filters = [
  timeRangeFilter(["from", "to"], "时间"),
  textFilter("username", "账号", "账号或姓名"),
  choiceFilter("outcome", "结果", choicesOf(signInOutcomeText)),
  textFilter("address", "登录地址", "IP 或其前段"),
];

const outcomeTone = (attempt: SignInAttempt): Tone => (isSuccess(attempt.outcome) ? "good" : "bad");

const columns: Column<SignInAttempt>[] = [
  timeColumn("at", "时间"),
  { key: "username", title: "账号", width: 160 },
  { key: "displayName", title: "姓名", width: 112 },
  {
    key: "outcome",
    title: "结果",
    width: 148,
    value: (row) => signInOutcomeText[row.outcome],
    render: (row) => <Status tone={outcomeTone(row)}>{signInOutcomeText[row.outcome]}</Status>,
  },
  { key: "address", title: "登录地址", width: 140 },
  { key: "device", title: "设备", width: 168 },
  {
    key: "tenant",
    title: "租户",
    width: 136,
    isSecondary: true,
    isOfPlatform: true,
    value: (row) => row.tenantName ?? "账号不存在",
  },
];

export const prefetch = listPrefetch(loginLogContract.list);

export default function LoginLogPage() {
  return (
    <ListPage
      title="登录日志"
      heading={<ViewSwitch />}
      spec={loginLogContract.list}
      filters={filters}
      columns={columns}
      rowKey={(row) => row.id}
      detail={{
        title: (row) => signInOutcomeText[row.outcome],
        body: (row) => <SignInFacts attempt={row} />,
      }}
      emptyHint="账号登录后台，或登录被拒绝，都会记录在这里"
    />
  );
}

function SignInFacts({ attempt }: { attempt: SignInAttempt }) {
  return (
    <>
      <DrawerSection title="详情">
        <Facts
          facts={[
            ["时间", formatDateTime(attempt.at)],
            [
              "结果",
              <Status key="v" tone={outcomeTone(attempt)}>
                {signInOutcomeText[attempt.outcome]}
              </Status>,
            ],
            ["账号", attempt.username],
            ["姓名", attempt.displayName],
            ["租户", attempt.tenantName ?? "账号不存在"],
            ["登录地址", attempt.address],
            ["设备", attempt.device],
          ]}
        />
        {attempt.tenantName === null && (
          <p className="ui-cell-none">账号不存在：填错的可能是密码，因此只保留首字。</p>
        )}
      </DrawerSection>
      <DrawerSection title="浏览器标识">
        <p>{attempt.userAgent || "没有提供"}</p>
      </DrawerSection>
    </>
  );
}
