// 维护消息配置: per kind of malfunction: recipients, channels, quiet hours and escalation.
import {
  type MaintenanceRule,
  maintenanceMessageContract,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import {
  RULE_KINDS,
  ruleKindText,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import { useState } from "react";
import { TenantChoice, useSettingTenant } from "../../../domain/setting-page.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
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
import { RuleForm } from "./rule-form.tsx";
import {
  calmText,
  channelsText,
  escalationText,
  namesText,
  quietText,
  recipientsText,
  sourceText,
} from "./rule-text.ts";
import { TestDialog } from "./test-dialog.tsx";
import "./maintenance.css";

const { rules: read, resetRule } = maintenanceMessageContract;

/** Column text of a rule; empty while the rule is off. */
const said = (of: (rule: MaintenanceRule) => string) => (rule: MaintenanceRule) =>
  rule.isOn ? of(rule) : "";

const columns: Column<MaintenanceRule>[] = [
  { key: "kind", title: "故障类型", width: 112, value: ({ kind }) => ruleKindText[kind] },
  {
    key: "source",
    title: "规则",
    width: 104,
    value: sourceText,
    render: (rule) => (
      <span className="maintenance-source" data-own={rule.source === "OWN" || rule.kind === "*"}>
        {sourceText(rule)}
      </span>
    ),
  },
  {
    key: "isOn",
    title: "通知",
    width: 80,
    value: ({ isOn }) => (isOn ? "开启" : "关闭"),
    render: ({ isOn }) => <Status tone={isOn ? "good" : "quiet"}>{isOn ? "开启" : "关闭"}</Status>,
  },
  text("recipients", "接收人", 184, recipientsText),
  text("channels", "方式", 116, channelsText),
  text("quiet", "短信免打扰", 132, quietText),
  text("calm", "重复间隔", 96, calmText),
  text("escalation", "升级", 200, escalationText),
];

function text(
  key: string,
  title: string,
  width: number,
  of: (rule: MaintenanceRule) => string,
): Column<MaintenanceRule> {
  const value = said(of);
  return { key, title, width, value, render: (rule) => <CellText>{value(rule)}</CellText> };
}

export default function MaintenanceRulesPage() {
  const tenantId = useSettingTenant();
  const ofTenant = tenantId ? { tenantId } : {};
  const mayWrite = usePermission("maintenance-message:write");
  const answer = useCall(read, { query: ofTenant });
  const reset = useWrite(resetRule);
  const { ask, dialog } = useAction();
  const [edited, setEdited] = useState<MaintenanceRule | null>(null);
  const [tested, setTested] = useState<MaintenanceRule | null>(null);
  const { data } = answer;

  const askReset = (rule: MaintenanceRule) => {
    const isGeneral = rule.kind === "*";
    ask({
      title: isGeneral ? "恢复系统默认" : "改用默认规则",
      effect: isGeneral ? (
        <p>默认规则将恢复为：通知门店运维人员和负责人，只在后台提醒，不升级。</p>
      ) : (
        <p>“{ruleKindText[rule.kind]}”单独设置的规则将删除，之后按默认规则通知。</p>
      ),
      confirm: "恢复",
      isDanger: true,
      run: () => reset.mutateAsync({ query: { kind: rule.kind, ...ofTenant } }),
      done: "已恢复默认",
    });
  };

  const actionsOf = (rule: MaintenanceRule): RowAction[] => [
    { key: "test", label: "测试", run: () => setTested(rule) },
    {
      key: "reset",
      label: rule.kind === "*" ? "恢复系统默认" : "改用默认规则",
      blocked: rule.editVersion === 0 ? "没有单独设置" : undefined,
      run: () => askReset(rule),
    },
  ];

  return (
    <PageCard>
      <header className="ui-setting-views">
        <ViewSwitch />
        <TenantChoice current={data?.tenantId} />
      </header>
      <p className="maintenance-note">
        设备或门店出现故障时，按故障类型通知运维人员和相关账号。同一故障未处理前只通知一次；一家门店断网只算一条。支付证书到期和回调未送达不属于哪家门店，通知指定的账号。
      </p>
      <SettingRows<MaintenanceRule>
        label="维护消息规则"
        answer={answer}
        rows={data?.rules}
        rowKey={({ kind }) => kind}
        expectedRows={RULE_KINDS.length}
        columns={columns}
        nameOf={({ kind }) => ruleKindText[kind]}
        detail={{ title: "通知规则", body: (rule) => <RuleDetail rule={rule} /> }}
        offered={mayWrite ? { edit: setEdited, more: actionsOf } : undefined}
      />
      {data && edited && (
        <RuleForm
          rule={edited}
          tenantId={data.tenantId}
          tenantName={data.tenantName}
          onClose={() => setEdited(null)}
        />
      )}
      {data && (
        <TestDialog rule={tested} tenantId={data.tenantId} onClose={() => setTested(null)} />
      )}
      {dialog}
    </PageCard>
  );
}

function RuleDetail({ rule }: { rule: MaintenanceRule }) {
  const withoutPhone = [...rule.recipients, ...rule.escalation].filter(({ hasPhone }) => !hasPhone);
  return (
    <>
      <DrawerSection title="通知">
        <Facts
          facts={[
            ["规则", sourceText(rule)],
            ["通知", rule.isOn ? "开启" : "关闭"],
            ["接收人", recipientsText(rule)],
            ["方式", channelsText(rule)],
            ["短信免打扰", quietText(rule)],
            ["重复间隔", calmText(rule)],
            ["升级", escalationText(rule)],
            ...(rule.bySms && withoutPhone.length > 0
              ? ([["没有手机号", `${namesText(withoutPhone)}，收不到短信`]] as const)
              : []),
          ]}
        />
      </DrawerSection>
      {rule.editedAt && (
        <DrawerSection title="最近修改">
          <Facts
            facts={[
              ["时间", formatDateTime(rule.editedAt)],
              ["修改人", rule.editedBy],
            ]}
          />
        </DrawerSection>
      )}
    </>
  );
}
