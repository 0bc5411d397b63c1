// Dialog that tests a rule: previews recipients for a store and sends them a test message.
import { Strict } from "@cabinet/contract/kit/fields.ts";
import {
  type MaintenanceRule,
  maintenanceMessageContract,
  type NoticeAccount,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import {
  isTenantKind,
  ruleKindText,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import Form from "antd/es/form";
import { Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { DrawerSection } from "../../../ui/display/detail-drawer.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { OneSelect } from "../../../ui/form/one-select.tsx";
import { FormField } from "../../../ui/form/record-form.tsx";
import "./maintenance.css";

const TestForm = Strict({ storeId: Type.Optional(Type.Integer({ title: "门店" })) });

interface TestDialogProps {
  /** Null while the dialog is closed. */
  rule: MaintenanceRule | null;
  tenantId: number;
  onClose: () => void;
}

export function TestDialog({ rule, tenantId, onClose }: TestDialogProps) {
  const send = useWrite(maintenanceMessageContract.test);
  return (
    <FormDialog
      open={rule !== null}
      title={rule ? `测试：${ruleKindText[rule.kind]}` : ""}
      schema={TestForm}
      fields={[]}
      submitText="发送测试消息"
      submit={async ({ storeId }) => {
        if (!rule) return;
        const outcome = await send.mutateAsync({
          body: { kind: rule.kind, tenantId, ...(storeId && { storeId }) },
        });
        toast.success(outcomeText(outcome, rule));
      }}
      onClose={onClose}
    >
      {rule && <TestFields rule={rule} tenantId={tenantId} />}
    </FormDialog>
  );
}

interface Outcome {
  told: number;
  queued: number;
  noPhone: number;
  capped: number;
}

function outcomeText(
  { told: notified, queued, noPhone, capped }: Outcome,
  { bySms }: MaintenanceRule,
) {
  const parts = [`测试消息已发给 ${notified} 人`];
  if (bySms) parts.push(`${queued} 条短信写入发件箱`);
  if (noPhone > 0) parts.push(`${noPhone} 人没有手机号`);
  if (capped > 0) parts.push(`${capped} 人超过每小时上限`);
  return parts.join("，");
}

function TestFields({ rule, tenantId }: { rule: MaintenanceRule; tenantId: number }) {
  const stores = useCall(storeContract.options, { query: { tenantId } });
  const storeId = Form.useWatch<number | undefined>("storeId");
  const plan = useCall(maintenanceMessageContract.plan, {
    query: { kind: rule.kind, tenantId, ...(storeId && { storeId }) },
  });
  const { data, error } = plan;
  const isOfTenant = isTenantKind(rule.kind);
  return (
    <>
      {!isOfTenant && (
        <FormField
          schema={TestForm}
          field={{
            name: "storeId",
            label: "假设发生在",
            control: <OneSelect answer={stores} placeholder="不指定门店" isOptional />,
            hint: "选择门店后，列出该门店的运维人员和负责人",
          }}
        />
      )}
      {error && !data && <ErrorState error={error} onRetry={() => void plan.refetch()} />}
      {data && (
        <div className="maintenance-plan" aria-live="polite" aria-busy={plan.isFetching}>
          <DrawerSection title="会通知">
            <People of={data.first} bySms={rule.bySms} />
            {data.isFallback && data.first.length > 0 && (
              <p className="maintenance-note">
                规则没有对应的接收人，改为通知可以修改本配置的账号。
              </p>
            )}
          </DrawerSection>
          {rule.escalateMinutes !== null && !isOfTenant && (
            <DrawerSection title="无人受理时再通知">
              <People of={data.escalation} bySms={rule.bySms} />
            </DrawerSection>
          )}
          {rule.bySms && (
            <DrawerSection title="短信内容">
              <blockquote className="maintenance-text">{data.smsText}</blockquote>
            </DrawerSection>
          )}
        </div>
      )}
    </>
  );
}

function People({ of, bySms }: { of: readonly NoticeAccount[]; bySms: boolean }) {
  if (of.length === 0) return <p className="ui-cell-none">没有人</p>;
  return (
    <ul className="maintenance-people">
      {of.map(({ id, name, hasPhone }) => (
        <li key={id}>
          {name}
          {bySms && !hasPhone && <small>没有手机号，收不到短信</small>}
        </li>
      ))}
    </ul>
  );
}
