// 可选功能: switches a tenant's optional features with their days; shows which are off or end soon.
import { EXPIRING_DAYS } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import {
  type Tenant,
  type TenantDetail,
  TenantFeature,
  tenancyContract,
} from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import {
  allSwitches,
  type FeatureState,
  type FeatureSwitch,
  featureState,
  featureSummary,
  featureText,
  switchesProblem,
} from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { Strict } from "@cabinet/contract/kit/fields.ts";
import { featureOffEffect, featureTitle } from "@cabinet/contract/vocabulary/feature.rules.ts";
import Input from "antd/es/input";
import Switch from "antd/es/switch";
import { Type } from "typebox";
import { daysLeftText } from "../../../domain/cabinet/cabinet-service.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import type { DescriptionItem } from "../../../ui/display/detail-drawer.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import { useLast } from "../../../ui/display/use-last.ts";
import type { Control } from "../../../ui/form/control.ts";
import { DayInput } from "../../../ui/form/day-input.tsx";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { tenantChanged } from "./tenant-actions.tsx";
import "../../../ui/display/basics.css";
import "./tenancy.css";

const stateText: Record<FeatureState, string> = {
  ON: "已开通",
  PENDING: "未开始",
  ENDED: "已到期",
  OFF: "未开通",
};
const stateTone: Record<FeatureState, Tone> = {
  ON: "good",
  PENDING: "waiting",
  ENDED: "bad",
  OFF: "quiet",
};

/** `2 项未开通，导出还有 5 天`, or `全部`. */
export function featuresText({ features, today }: Tenant): string {
  const { off, ending } = featureSummary(features, { today, days: EXPIRING_DAYS });
  const [first, ...others] = ending;
  const soon =
    first &&
    `${featureTitle[first.feature]}${first.daysLeft > 0 ? "还有 " : ""}${daysLeftText(first.daysLeft)}`;
  const parts = [
    off.length > 0 && `${off.length} 项未开通`,
    soon && (others.length > 0 ? `${soon}等 ${ending.length} 项将到期` : soon),
  ].filter(Boolean);
  return parts.join("，") || "全部";
}

export function featureFacts({ features, today }: Tenant): DescriptionItem[] {
  return allSwitches(features).map((each) => {
    const state = featureState(each, today);
    return [
      featureTitle[each.feature],
      <Status key="v" tone={stateTone[state]} title={featureOffEffect[each.feature]}>
        {state === "ON" || state === "OFF"
          ? featureText(each)
          : `${stateText[state]}（${featureText(each)}）`}
      </Status>,
    ];
  });
}

const FeaturesForm = Strict({
  features: Type.Array(TenantFeature),
  reason: tenancyContract.saveFeatures.body.properties.reason,
});

const fields: FieldOf<typeof FeaturesForm>[] = [
  {
    name: "features",
    label: "功能与开通日期",
    control: <SwitchesInput />,
    problem: (value) => switchesProblem(value as FeatureSwitch[]),
    hint: "开始日和截止日当天都可使用，不填为不限；开门、取件、支付和退款不受影响",
  },
  {
    name: "reason",
    label: "原因",
    control: <Input.TextArea rows={2} maxLength={200} placeholder="如：试用一个月，记入操作审计" />,
  },
];

export interface TenantFeaturesProps {
  /** Null while the dialog is closed. */
  tenant: Tenant | null;
  onClose: () => void;
}

/** Fetches the tenant again: the list may be older than another administrator's change. */
export function TenantFeatures({ tenant, onClose }: TenantFeaturesProps) {
  const params = { id: tenant?.id ?? 0 };
  const fetched = useCall(
    tenancyContract.get,
    { params },
    { enabled: tenant !== null, staleTime: 0 },
  );
  const shown = useLast(tenant && fetched.data?.id === tenant.id ? fetched.data : null);
  const isOpen = tenant !== null && !fetched.isFetching && shown?.id === tenant.id;
  return shown && <FeaturesDialog tenant={shown} isOpen={isOpen} onClose={onClose} />;
}

function FeaturesDialog({
  tenant,
  isOpen,
  onClose,
}: {
  tenant: TenantDetail;
  isOpen: boolean;
  onClose: () => void;
}) {
  const { id, name, editVersion } = tenant;
  const save = useWrite(tenancyContract.saveFeatures, tenantChanged);
  return (
    <FormDialog
      open={isOpen}
      title={`可选功能：${name}`}
      width={760}
      schema={FeaturesForm}
      fields={fields}
      initial={{ features: allSwitches(tenant.features) }}
      submit={async ({ features, reason }) => {
        await save.mutateAsync({ params: { id }, body: { features, reason, editVersion } });
        toast.success(`租户“${name}”的可选功能已保存`);
      }}
      onClose={onClose}
    />
  );
}

function SwitchesInput({ id, value = [], onChange }: Control<FeatureSwitch[]>) {
  const change = (changed: FeatureSwitch) =>
    onChange?.(value.map((each) => (each.feature === changed.feature ? changed : each)));
  return (
    <ul className="tenant-switches" {...(id && { id })}>
      {value.map((each) => (
        <OneSwitch key={each.feature} value={each} onChange={change} />
      ))}
    </ul>
  );
}

function OneSwitch({
  value,
  onChange,
}: {
  value: FeatureSwitch;
  onChange: (value: FeatureSwitch) => void;
}) {
  const { feature, isOn, startsOn, endsOn } = value;
  const title = featureTitle[feature];
  return (
    <li>
      <Switch
        aria-label={`开通${title}`}
        checked={isOn}
        onChange={(checked) =>
          onChange(checked ? { ...value, isOn: true } : { ...value, ...noDays, isOn: false })
        }
      />
      <div>
        <b>{title}</b>
        <span className="ui-cell-none">关闭后：{featureOffEffect[feature]}</span>
      </div>
      {isOn && (
        <div className="tenant-switch-days">
          <DayInput
            label={`${title}开始日期`}
            placeholder="不限"
            value={startsOn ?? undefined}
            onChange={(day) => onChange({ ...value, startsOn: day ?? null })}
          />
          至
          <DayInput
            label={`${title}截止日期`}
            placeholder="不限"
            value={endsOn ?? undefined}
            onChange={(day) => onChange({ ...value, endsOn: day ?? null })}
          />
        </div>
      )}
    </li>
  );
}

const noDays = { startsOn: null, endsOn: null };
