// Form of one maintenance message rule; inherited values are its initial values.

import { Id, Strict } from "@cabinet/contract/kit/fields.ts";
import {
  type MaintenanceRule,
  maintenanceMessageContract,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import {
  isTenantKind,
  MAX_CALM_MINUTES,
  MAX_ESCALATE_MINUTES,
  ruleKindText,
  ruleProblem,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import Checkbox from "antd/es/checkbox";
import InputNumber from "antd/es/input-number";
import Switch from "antd/es/switch";
import { Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { AccountsInput } from "./accounts-input.tsx";
import { type Quiet, QuietInput } from "./quiet-input.tsx";
import "./maintenance.css";

const Form = Strict({
  isOn: Type.Boolean(),
  stores: Type.Optional(Type.Array(Type.String())),
  recipientIds: Type.Array(Id, { maxItems: 20 }),
  channels: Type.Array(Type.String()),
  quiet: Type.Unsafe<Quiet | null>({ type: ["object", "null"] }),
  calmMinutes: Type.Integer({ minimum: 0, maximum: MAX_CALM_MINUTES }),
  escalateMinutes: Type.Optional(
    Type.Unsafe<number | null>({
      type: ["integer", "null"],
      minimum: 1,
      maximum: MAX_ESCALATE_MINUTES,
    }),
  ),
  escalationIds: Type.Optional(Type.Array(Id, { maxItems: 20 })),
});

export interface RuleFormProps {
  rule: MaintenanceRule;
  tenantId: number;
  tenantName: string;
  onClose: () => void;
}

export function RuleForm({ rule, tenantId, tenantName, onClose }: RuleFormProps) {
  const save = useWrite(maintenanceMessageContract.saveRule);
  const { kind, editVersion } = rule;
  return (
    <FormDrawer
      open
      title={`${ruleKindText[kind]}：${tenantName}`}
      width={520}
      schema={Form}
      fields={fieldsOf(tenantId, rule)}
      initial={{
        isOn: rule.isOn,
        stores: [rule.toCaretakers && "toCaretakers", rule.toManager && "toManager"].filter(
          (word) => word !== false,
        ),
        recipientIds: rule.recipients.map(({ id }) => id),
        channels: [rule.byConsole && "byConsole", rule.bySms && "bySms"].filter(
          (word) => word !== false,
        ),
        quiet:
          rule.quietFrom === null || rule.quietTo === null
            ? null
            : { from: rule.quietFrom, to: rule.quietTo },
        calmMinutes: rule.calmMinutes,
        escalateMinutes: rule.escalateMinutes,
        escalationIds: rule.escalation.map(({ id }) => id),
      }}
      submit={async (values) => {
        // Fields absent from this kind's form do not apply to the kind: send them as empty.
        const { stores = [], channels, quiet, ...asked } = values;
        const { escalateMinutes = null, escalationIds = [], ...rest } = asked;
        const draft = {
          ...rest,
          escalateMinutes,
          escalationIds,
          toCaretakers: stores.includes("toCaretakers"),
          toManager: stores.includes("toManager"),
          byConsole: channels.includes("byConsole"),
          bySms: channels.includes("bySms"),
          quietFrom: quiet?.from ?? null,
          quietTo: quiet?.to ?? null,
        };
        const problem = ruleProblem(draft, kind);
        if (problem) throw new Error(problem);
        await save.mutateAsync({ body: { kind, ...draft, tenantId, editVersion } });
        toast.success(`“${ruleKindText[kind]}”的通知规则已保存，立即生效`);
      }}
      onClose={onClose}
    >
      {kind !== "*" && editVersion === 0 && (
        <p className="maintenance-note">
          现在按默认规则通知；保存后，“{ruleKindText[kind]}”将使用这里单独设置的规则。
        </p>
      )}
    </FormDrawer>
  );
}

function fieldsOf(tenantId: number, rule: MaintenanceRule): FieldOf<typeof Form>[] {
  const fields = allFields(tenantId, rule);
  if (!isTenantKind(rule.kind)) return fields;
  // Tenant-wide kinds have no store and no assignee, so neither store recipients nor escalation.
  return fields
    .filter(({ name }) => !["stores", "escalateMinutes", "escalationIds"].includes(String(name)))
    .map((field) => (field.name === "recipientIds" ? { ...field, ...recipientsOfTenant } : field));
}

const recipientsOfTenant = {
  section: "接收人",
  hint: "只管理部分门店的账号收不到；没有人收到时，通知可以修改本配置的账号",
};

function allFields(tenantId: number, rule: MaintenanceRule): FieldOf<typeof Form>[] {
  return [
    {
      name: "isOn",
      label: "通知",
      control: <Switch checkedChildren="开启" unCheckedChildren="关闭" />,
      valueName: "checked",
      ...(rule.kind === "*" && { hint: "对没有单独设置的故障类型生效" }),
    },
    {
      name: "stores",
      label: "故障所在门店的人员",
      section: "接收人",
      control: (
        <Checkbox.Group
          options={[
            { value: "toCaretakers", label: "运维人员" },
            { value: "toManager", label: "负责人" },
          ]}
        />
      ),
      hint: "没有任何接收人时，通知可以修改本配置的账号",
    },
    {
      name: "recipientIds",
      label: "指定账号",
      control: <AccountsInput tenantId={tenantId} label="账号" named={rule.recipients} />,
      hint: "只管理部分门店的账号，只收到这些门店的故障",
    },
    {
      name: "channels",
      label: "通知方式",
      section: "方式",
      control: (
        <Checkbox.Group
          options={[
            { value: "byConsole", label: "后台提醒" },
            { value: "bySms", label: "短信" },
          ]}
        />
      ),
      hint: "短信发到账号登记的手机号，每人每小时最多 20 条",
    },
    {
      name: "quiet",
      label: "短信免打扰",
      control: <QuietInput />,
      hint: "免打扰期间的短信在结束时发出，届时已有人处理的不再发；后台提醒不受影响",
    },
    {
      name: "calmMinutes",
      label: "重复通知间隔",
      control: <InputNumber precision={0} suffix="分钟" />,
      hint: "同一处同类故障恢复后再次发生，间隔内不重复通知；0 为每次都通知",
    },
    {
      name: "escalateMinutes",
      label: "无人受理多久后升级",
      section: "升级",
      control: <InputNumber precision={0} suffix="分钟" placeholder="不升级" />,
    },
    {
      name: "escalationIds",
      label: "升级通知的账号",
      control: <AccountsInput tenantId={tenantId} label="账号" named={rule.escalation} />,
    },
  ];
}
