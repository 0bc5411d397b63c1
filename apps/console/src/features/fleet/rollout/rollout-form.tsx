// Form of a roll-out: content, targets, stages and start, with a live preview of target counts.
import { CabinetConfig } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import {
  type NewRollout,
  rolloutContract,
} from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import {
  ROLLOUT_DEFAULTS,
  type RolloutKind,
  rolloutKindText,
  stagePercentsProblem,
} from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import Radio from "antd/es/radio";
import { useState } from "react";
import { configFields } from "../../../domain/cabinet/cabinet-config-fields.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import type { Control } from "../../../ui/form/control.ts";
import { counted } from "../../../ui/form/counted.ts";
import { DateTimeInput } from "../../../ui/form/date-time-input.tsx";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import {
  CabinetsInput,
  FirmwareInput,
  ModelInput,
  SideInput,
  StoreInput,
  TenantInput,
} from "./rollout-choices.tsx";
import { percentsOf } from "./rollout-display.rules.ts";
import { RolloutFields } from "./rollout-fields.ts";
import { RolloutPreview } from "./rollout-preview.tsx";

interface RolloutFormProps {
  open: boolean;
  /** Preselected cabinets; empty: chosen in this form. */
  cabinetIds: readonly number[];
  /** Tenant of those cabinets; undefined: the account's own tenant. */
  tenantId?: number | undefined;
  onClose: () => void;
}

export function RolloutForm({ open, cabinetIds, tenantId, onClose }: RolloutFormProps) {
  const isPlatform = useIsPlatform();
  const session = useSignedIn();
  const isChosen = cabinetIds.length > 0;
  const [kind, setKind] = useState<RolloutKind | null>(null);
  const shownKind = kind ?? (isChosen ? "CONFIG" : "FIRMWARE");
  const create = useWrite(rolloutContract.create);
  const close = () => {
    setKind(null);
    onClose();
  };
  const fixed = isChosen ? { cabinetIds: [...cabinetIds] } : {};
  return (
    <FormDrawer
      open={open}
      title="新建下发任务"
      width={640}
      schema={RolloutFields}
      fields={[
        ...whatFields(shownKind, setKind),
        ...(isChosen ? [] : targetFields(isPlatform)),
        ...howFields(fixed.cabinetIds),
      ]}
      initial={{
        kind: shownKind,
        tenantId: tenantId ?? session.tenantId,
        stages: ROLLOUT_DEFAULTS.stagePercents.join(", "),
        advancePercent: ROLLOUT_DEFAULTS.advancePercent,
        dwellMinutes: ROLLOUT_DEFAULTS.dwellMinutes,
        stopPercent: ROLLOUT_DEFAULTS.stopPercent,
        timeoutMinutes: ROLLOUT_DEFAULTS.timeoutMinutes,
      }}
      submitText="开始下发"
      submit={async (fields) => {
        const { count } = await create.mutateAsync({ body: { ...bodyOf(fields), ...fixed } });
        toast.success(`任务“${fields.name}”已建立，共 ${count} 台设备`);
      }}
      onClose={close}
    >
      {isChosen && (
        <p className="ui-form-note">
          只对设备列表中选择的 <b>{cabinetIds.length}</b> 台设备下发。
        </p>
      )}
    </FormDrawer>
  );
}

function bodyOf(fields: RolloutFields): NewRollout {
  const { kind, firmwareId, stages, cabinets, tenantId, storeId, modelId, side, startsAt } = fields;
  const set = Object.keys(CabinetConfig.properties).flatMap((name) => {
    const value = fields[name as keyof CabinetConfig];
    return value === undefined || value === null || value === "" ? [] : [[name, value] as const];
  });
  if (kind === "CONFIG" && set.length === 0) throw new Error("请至少填写一项要修改的参数");
  return {
    name: fields.name.trim(),
    kind,
    ...(kind === "FIRMWARE" ? { firmwareId } : { config: Object.fromEntries(set) }),
    ...(tenantId !== undefined && { tenantId }),
    ...(storeId !== undefined && { storeId }),
    ...(modelId !== undefined && { modelId }),
    ...(side !== undefined && { side }),
    ...(cabinets?.length && { cabinetIds: cabinets.map(({ id }) => id) }),
    stagePercents: percentsOf(stages) ?? [],
    advancePercent: fields.advancePercent,
    dwellMinutes: fields.dwellMinutes,
    stopPercent: fields.stopPercent,
    timeoutMinutes: fields.timeoutMinutes,
    ...(startsAt && { startsAt }),
  };
}

interface KindInputProps extends Control<RolloutKind> {
  onKind: (kind: RolloutKind) => void;
}

function KindInput({ id, value, onChange, onKind }: KindInputProps) {
  return (
    <Radio.Group
      {...(id && { id })}
      value={value}
      options={Object.entries(rolloutKindText).map(([value, label]) => ({ value, label }))}
      onChange={({ target }) => {
        onChange?.(target.value);
        onKind(target.value);
      }}
    />
  );
}

function whatFields(
  kind: RolloutKind,
  onKind: (kind: RolloutKind) => void,
): FieldOf<typeof RolloutFields>[] {
  const shared: FieldOf<typeof RolloutFields>[] = [
    {
      name: "name",
      label: "任务名称",
      control: <Input count={counted()} placeholder="如：全部门店升级到 2.1.0" />,
    },
    { name: "kind", label: "下发内容", control: <KindInput onKind={onKind} /> },
  ];
  if (kind === "CONFIG") {
    return [
      ...shared,
      ...configFields.map((field, at) => ({
        ...field,
        ...(at === 0 && { section: "参数（只修改填写的项）" }),
      })),
    ];
  }
  return [
    ...shared,
    {
      name: "firmwareId",
      label: "固件",
      isRequired: true,
      control: <FirmwareInput />,
      hint: "只有已发布的固件可以下发；设备有箱门打开时不会安装，稍后自动重试",
    },
  ];
}

function targetFields(isPlatform: boolean): FieldOf<typeof RolloutFields>[] {
  const tenant = { name: "tenantId" as const, label: "租户", control: <TenantInput /> };
  return [
    ...(isPlatform ? [{ ...tenant, section: "范围" }] : []),
    {
      name: "storeId",
      label: "门店",
      control: <StoreInput />,
      ...(!isPlatform && { section: "范围" }),
    },
    { name: "modelId", label: "型号", control: <ModelInput /> },
    { name: "side", label: "单双面", control: <SideInput /> },
    {
      name: "cabinets",
      label: "指定设备",
      control: <CabinetsInput />,
      hint: "不选：符合以上条件的全部设备。设备名单在建立任务时确定，之后新增的设备不会加入",
    },
  ];
}

const percent = <InputNumber precision={0} suffix="%" />;
const minutes = <InputNumber precision={0} suffix="分钟" />;

function howFields(cabinetIds: readonly number[] | undefined): FieldOf<typeof RolloutFields>[] {
  return [
    {
      name: "stages",
      section: "分批与停止",
      label: "每批累计到（%）",
      control: <Input placeholder="1, 10, 100" />,
      problem: stagesProblem,
      hint: <RolloutPreview cabinetIds={cabinetIds} />,
    },
    {
      name: "stopPercent",
      label: "失败超过多少自动停止（0–50 %）",
      control: percent,
      hint: "离线的设备继续等待，不算失败；首批只有一台时，失败一台即停止",
    },
    { name: "advancePercent", label: "本批成功多少进入下一批（50–100 %）", control: percent },
    { name: "dwellMinutes", label: "达到后再观察（0–10080 分钟）", control: minutes },
    { name: "timeoutMinutes", label: "单台多久没有进展算失败（5–1440 分钟）", control: minutes },
    {
      name: "startsAt",
      label: "开始时间",
      control: <DateTimeInput placeholder="不填：立即开始" />,
    },
  ];
}

function stagesProblem(value: unknown): string | null {
  const percents = percentsOf(String(value ?? ""));
  if (!percents) return "请填写整数百分比，用逗号分隔，如 1, 10, 100";
  if (percents.length > 6) return "最多分 6 批";
  if (percents.some((each) => each < 1 || each > 100)) return "每批须在 1 到 100 之间";
  return stagePercentsProblem(percents);
}
