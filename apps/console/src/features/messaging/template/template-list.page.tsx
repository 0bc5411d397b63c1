// 消息模板配置: per scene: recipient, plan, texts and obstacles to sending.
import {
  MESSAGE_SCENARIOS,
  messageScenarioText,
} from "@cabinet/contract/messaging/sms/sms.rules.ts";
import {
  type MessageTemplate,
  templateContract,
} from "@cabinet/contract/messaging/template/template.contract.ts";
import {
  scenarioSpecs,
  smsSourceText,
} from "@cabinet/contract/messaging/template/template.rules.ts";
import Alert from "antd/es/alert";
import { useState } from "react";
import { usePageSide } from "../../../domain/cabinet/page-side.ts";
import { TenantChoice, useSettingTenant } from "../../../domain/setting-page.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { SettingRows } from "../../../ui/list/setting-rows.tsx";
import { SmsPreview, SubscribePreview } from "./message-preview.tsx";
import { TemplateForm } from "./template-form.tsx";
import {
  type Around,
  isShared,
  isSmsAlone,
  routeText,
  smsText,
  stateOf,
  subscribeText,
} from "./template-text.ts";
import { TestDialog } from "./test-dialog.tsx";
import "./template.css";

const { list, reset: resetSpec } = templateContract;

const textColumn = (
  key: string,
  title: string,
  width: number,
  value: (template: MessageTemplate) => string,
): Column<MessageTemplate> => ({
  ...{ key, title, width, value },
  render: (template) => <CellText>{value(template)}</CellText>,
});

function columnsFor(around: Around): Column<MessageTemplate>[] {
  return [
    { key: "scene", title: "场景", width: 104, value: ({ scene }) => messageScenarioText[scene] },
    textColumn("recipient", "发给", 176, ({ scene }) => scenarioSpecs[scene].recipient),
    textColumn("plan", "发送方式", 208, routeText),
    textColumn("sms", "短信内容", 136, (template) => smsText(template, around.smsSign)),
    textColumn("subscribe", "订阅消息模板", 160, subscribeText),
    {
      key: "state",
      title: "状态",
      width: 152,
      value: (template) => stateOf(template, around).text,
      render: (template) => {
        const { tone, text } = stateOf(template, around);
        return <Status tone={tone}>{text}</Status>;
      },
    },
  ];
}

const nothingKnown: Around = {
  smsSign: "",
  hasMiniProgram: true,
  tellsOverdue: true,
  hasCarrier: false,
};

export default function TemplateListPage() {
  const side = usePageSide();
  const tenantId = useSettingTenant();
  const ofTenant = tenantId ? { tenantId } : {};
  const mayWrite = usePermission("template:write");
  const answer = useCall(list, { query: { side, ...ofTenant } });
  const reset = useWrite(resetSpec);
  const { ask, dialog } = useAction();
  const [edited, setEdited] = useState<MessageTemplate | null>(null);
  const [tested, setTested] = useState<MessageTemplate | null>(null);
  const { data } = answer;
  const around: Around = data ?? nothingKnown;

  const askReset = ({ scene }: MessageTemplate) =>
    ask({
      title: "恢复默认",
      effect: (
        <p>
          “{messageScenarioText[scene]}
          ”自己的发送方式、短信内容和订阅消息模板将删除，之后按默认发送。
          {scenarioSpecs[scene].isShared && "单面和双面设备都受影响。"}
        </p>
      ),
      confirm: "恢复",
      isDanger: true,
      run: () => reset.mutateAsync({ query: { side, scene, ...ofTenant } }),
      done: "已恢复默认",
    });

  const actionsOf = (template: MessageTemplate): RowAction[] => [
    { key: "test", label: "测试", run: () => setTested(template) },
    {
      key: "reset",
      label: "恢复默认",
      blocked: template.editVersion === 0 ? "没有修改过" : undefined,
      run: () => askReset(template),
    },
  ];

  return (
    <PageCard title="消息模板配置" extra={<TenantChoice current={data?.tenantId} />}>
      <p className="template-note">
        发给用户和运维人员的消息按场景配置；登录验证码和故障通知由单面、双面设备共用。
        {data?.tenantId === 1 && "主租户的短信内容，是没有自定义内容的租户的平台默认。"}
      </p>
      <SettingRows<MessageTemplate>
        label="消息模板"
        answer={answer}
        rows={data?.templates}
        rowKey={({ scene }) => scene}
        expectedRows={MESSAGE_SCENARIOS.length}
        columns={columnsFor(around)}
        nameOf={({ scene }) => messageScenarioText[scene]}
        detail={{
          title: "消息模板",
          body: (template) => <TemplateDetail template={template} around={around} />,
        }}
        offered={mayWrite ? { edit: setEdited, more: actionsOf } : undefined}
      />
      {data && edited && (
        <TemplateForm template={edited} side={side} tenant={data} onClose={() => setEdited(null)} />
      )}
      {data && (
        <TestDialog
          template={tested}
          side={side}
          tenantId={data.tenantId}
          sign={data.smsSign}
          onClose={() => setTested(null)}
        />
      )}
      {dialog}
    </PageCard>
  );
}

function TemplateDetail({ template, around }: { template: MessageTemplate; around: Around }) {
  const { scene, sms, subscribe, editedAt } = template;
  return (
    <>
      {template.subscribeProblem && (
        <Problem
          what="订阅消息"
          text={template.subscribeProblem}
          at={template.subscribeProblemAt}
        />
      )}
      {template.smsProblem && (
        <Problem what="短信" text={template.smsProblem} at={template.smsProblemAt} />
      )}
      <DrawerSection title="发送">
        <Facts
          facts={[
            ["何时", scenarioSpecs[scene].when],
            ["发给", scenarioSpecs[scene].recipient],
            ["发送方式", routeText(template)],
            ["设备", isShared(template) ? "单面和双面设备共用" : "仅这一面的设备"],
            ["状态", stateOf(template, around).text],
            ...(editedAt
              ? ([["最近修改", `${formatDateTime(editedAt)}，${template.editedBy}`]] as const)
              : []),
          ]}
        />
      </DrawerSection>
      <DrawerSection title="短信">
        <Facts
          facts={[
            ["内容来自", smsSourceText[template.smsSource]],
            ["短信模板编号", sms.templateCode || null],
          ]}
        />
        <SmsPreview scene={scene} sms={sms} sign={around.smsSign} />
      </DrawerSection>
      {!isSmsAlone(template) && (
        <DrawerSection title="微信订阅消息">
          {subscribe ? (
            <>
              <Facts
                facts={[
                  ["模板 ID", <code key="id">{subscribe.templateId}</code>],
                  ["点开的页面", subscribe.page || null],
                ]}
              />
              <SubscribePreview scene={scene} subscribe={subscribe} />
            </>
          ) : (
            <p className="ui-cell-none">未配置</p>
          )}
        </DrawerSection>
      )}
    </>
  );
}

function Problem({ what, text, at }: { what: string; text: string; at: string | null }) {
  return (
    <Alert
      className="template-problem"
      type="error"
      showIcon
      title={`${what}最近一次发送失败${at ? `（${formatDateTime(at)}）` : ""}`}
      description={text}
    />
  );
}
