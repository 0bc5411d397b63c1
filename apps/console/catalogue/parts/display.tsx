// Record display: drawers, timeline, states, status, live badge and pages of one record.

import { LIVE_PATH } from "@cabinet/contract/live/live.rules.ts";
import { useState } from "react";
import { HiddenPhone } from "../../src/domain/hidden-phone.tsx";
import { type CheckedSetting, Copyable, SettingPage } from "../../src/domain/setting-page.tsx";
import { useCall } from "../../src/kit/query.ts";
import { Button } from "../../src/ui/display/button.tsx";
import { copyWithToast } from "../../src/ui/display/copy-text.ts";
import { DetailDrawer, DrawerSection, Facts } from "../../src/ui/display/detail-drawer.tsx";
import { icons } from "../../src/ui/display/icons.ts";
import { JsonView } from "../../src/ui/display/json-view.tsx";
import { NoRecord, RecordFailure, RecordLoading } from "../../src/ui/display/one-record.tsx";
import { PageCard } from "../../src/ui/display/page-card.tsx";
import { AnswerState, EmptyState, ErrorState } from "../../src/ui/display/states.tsx";
import { Age, Status } from "../../src/ui/display/status.tsx";
import { SvgIcon } from "../../src/ui/display/svg-icon.tsx";
import { Timeline, TimelineItem } from "../../src/ui/display/timeline.tsx";
import { LiveBadge } from "../../src/ui/live/live.tsx";
import { type Answer, failed, held, never } from "../answers.ts";
import { Opened } from "../opened.tsx";
import { sampleContract, sampleStates, samples, workingList } from "../sample.ts";
import type { Parts, State } from "../state.ts";

const AT = "2026-11-21T04:00:00Z";

function History() {
  return (
    <Timeline>
      <TimelineItem source="用户" title="创建订单" at={AT} extra="¥3.50" />
      <TimelineItem
        source="柜机"
        title="开门失败"
        at={AT}
        note="门锁没有回应，已自动重试"
        isProblem
      >
        <p>第 2 次重试</p>
      </TimelineItem>
      <TimelineItem source="系统" title="订单完成" at={AT} />
    </Timeline>
  );
}

function Detail() {
  const answer = useCall(sampleContract.list, { query: { page: 1, pageSize: 10 } });
  const row = answer.data?.list[0];
  return (
    <Opened>
      {(open, close) => (
        <DetailDrawer
          open={open}
          title="样品详情"
          onClose={close}
          footer={row && <Button type="primary">修改</Button>}
        >
          {row ? (
            <>
              <Facts
                facts={[
                  ["名称", row.name],
                  ["状态", sampleStates[row.state][0]],
                  ["备注", null],
                ]}
              />
              <DrawerSection title="处理记录">
                <History />
              </DrawerSection>
            </>
          ) : (
            <AnswerState answer={answer} />
          )}
        </DetailDrawer>
      )}
    </Opened>
  );
}

const detail = (reply: Answer["reply"]): State => ({
  show: Detail,
  answers: [{ ...workingList, reply }],
});

function Statuses() {
  const tones = ["good", "bad", "doubtful", "waiting", "quiet"] as const;
  return (
    <PageCard title="状态">
      {tones.map((tone) => (
        <p key={tone}>
          <Status tone={tone}>{tone}</Status> <Age time={AT} />
        </p>
      ))}
      <Age time={null} />
    </PageCard>
  );
}

function Icons() {
  return (
    <p>
      {Object.keys(icons).map((name) => (
        <SvgIcon key={name} name={name} label={name} />
      ))}
    </p>
  );
}

const live = (reply?: Answer["reply"]): State => ({
  show: () => <LiveBadge topic="cabinet" refresh={() => {}} />,
  ...(reply && { answers: [{ method: "GET", path: new RegExp(LIVE_PATH), reply }] }),
});

const channelsUsedUp = Response.json(
  { code: 1, data: null, errCode: "TENANT_CHANNELS_USED_UP", errMsg: "本租户已打开 3 个实时通道" },
  { status: 429 },
);

const list = { path: "/dashboard", title: "样品列表" } as const;
const retry = () => {};
const lost = new Error("网络不佳，请稍后重试");

const setting = (change: Partial<CheckedSetting> | Error | null): State => ({
  show: () => (
    <SettingPage<CheckedSetting>
      title="短信通道"
      answer={{
        data:
          change === null || change instanceof Error
            ? undefined
            : { checkState: "OK", checkText: "", checkedAt: AT, editVersion: 1, ...change },
        error: change instanceof Error ? change : null,
        refetch: never,
      }}
      mayWrite
      check={{ isBusy: false, ask: retry }}
      pendingText="正在验证…"
      empty={{ title: "未配置短信通道", hint: "配置后才能发送短信" }}
      form={() => null}
    >
      {() => (
        <Facts facts={[["回调地址", <Copyable key="address" text="https://example.com/sms" />]]} />
      )}
    </SettingPage>
  ),
});

function Broken({ isBroken }: { isBroken: boolean }) {
  if (isBroken) throw new Error("broken");
  return "修好了";
}

/** Its text stays when the drawer beside it fails. */
function BrokenDrawer() {
  const [isBroken, setIsBroken] = useState(true);
  return (
    <>
      <label htmlFor="text">说明</label>
      <input id="text" />
      <Opened>
        {(open, close) => (
          <DetailDrawer open={open} title="详情" onClose={close}>
            <Broken isBroken={isBroken} />
          </DetailDrawer>
        )}
      </Opened>
      <Button onClick={() => setIsBroken(false)}>修好</Button>
    </>
  );
}

export const displayParts: Parts = {
  "detail-drawer": {
    loaded: detail(workingList.reply),
    loading: detail(never),
    held: detail((request) => held(workingList.reply(request))),
    error: detail(() => failed(500)),
  },
  boundary: { drawer: { show: BrokenDrawer } },
  timeline: { events: { show: History } },
  copy: {
    columns: {
      show: () => (
        <Button onClick={() => void copyWithToast("样品 1\tA-1\n样品 2\tA-2")}>复制</Button>
      ),
    },
  },
  status: { tones: { show: Statuses }, icons: { show: Icons } },
  sideways: {
    row: {
      show: () => (
        <fieldset className="ui-sideways" style={{ display: "flex" }}>
          {samples.slice(0, 10).map(({ id, name }) => (
            <Button key={id}>{name}</Button>
          ))}
        </fieldset>
      ),
    },
  },
  states: {
    empty: { show: () => <EmptyState hint="新增样品后在这里查看" /> },
    error: { show: () => <ErrorState error={lost} onRetry={retry} /> },
    "no-record": { show: () => <NoRecord title="没有指定样品" hint="请从列表打开" list={list} /> },
    "record-loading": { show: RecordLoading },
    "record-failure": {
      show: () => <RecordFailure error={lost} hint="" list={list} onRetry={retry} />,
    },
  },
  json: { text: { show: () => <JsonView label="请求" text={JSON.stringify(samples[0])} /> } },
  "hidden-phone": {
    masked: { show: () => <HiddenPhone masked="138****8000" reveal={async () => "13800138000"} /> },
  },
  live: { connected: live(), connecting: live(never), full: live(() => channelsUsedUp.clone()) },
  "setting-page": {
    loading: setting(null),
    error: setting(lost),
    unset: setting({ editVersion: 0, checkState: "NONE" }),
    unchecked: setting({ checkState: "NONE" }),
    pending: setting({ checkState: "PENDING" }),
    ok: setting({ checkText: "验证通过" }),
    failed: setting({ checkState: "FAILED", checkText: "签名不存在" }),
  },
};
