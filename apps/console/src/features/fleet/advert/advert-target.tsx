// Form control for the cabinets that an advert targets.

import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import {
  TARGET_KINDS,
  type TargetKind,
  targetKindText,
} from "@cabinet/contract/fleet/advert/advert.rules.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import Radio from "antd/es/radio";
import { CabinetSelect, type CabinetSelectProps } from "../../../domain/cabinet-select.tsx";
import { useCall } from "../../../kit/query.ts";
import type { Control } from "../../../ui/form/control.ts";
import { ManySelect, type Named } from "../../../ui/form/many-select.tsx";
import "./advert-target.css";

export interface Target {
  kind: TargetKind;
  /** Stores, cabinets or models. */
  chosen: readonly Named[];
  side: Side | null;
}

export function targetProblem({ kind, chosen, side }: Target): string | null {
  if (kind === "SIDE") return side ? null : "请选择单面柜或双面柜";
  if (kind === "ALL" || chosen.length > 0) return null;
  return `请至少选择一项（${targetKindText[kind]}）`;
}

export interface TargetInputProps extends Control<Target> {
  /** Tenant whose stores and cabinets can be chosen. */
  tenantId: number;
}

const kindOptions = TARGET_KINDS.map((value) => ({ value, label: targetKindText[value] }));

export function TargetInput({ tenantId, id, value, onChange }: TargetInputProps) {
  const { kind = "ALL", chosen = [], side = null } = value ?? {};
  const choose = (next: readonly Named[]) => onChange?.({ kind, chosen: next, side: null });
  const shared = { tenantId, chosen, onChange: choose };
  return (
    <div className="advert-target">
      <Radio.Group
        {...(id && { id })}
        options={kindOptions}
        value={kind}
        onChange={(event) => onChange?.({ kind: event.target.value, chosen: [], side: null })}
      />
      {kind === "STORE" && <StoreSelect {...shared} />}
      {kind === "CABINET" && <CabinetSelect {...shared} />}
      {kind === "MODEL" && <ModelSelect {...shared} />}
      {kind === "SIDE" && (
        <Radio.Group
          options={[
            { value: "SINGLE", label: "单面柜" },
            { value: "DOUBLE", label: "双面柜" },
          ]}
          value={side}
          onChange={(event) => onChange?.({ kind, chosen: [], side: event.target.value })}
        />
      )}
    </div>
  );
}

const FRESH_MS = 60_000;

function StoreSelect({ tenantId, ...rest }: CabinetSelectProps) {
  const stores = useCall(
    storeContract.options,
    { query: { tenantId } },
    { staleTime: FRESH_MS, toasts: true },
  );
  return <ManySelect {...rest} label="门店" options={stores.data} />;
}

function ModelSelect({ tenantId: _, ...rest }: CabinetSelectProps) {
  const models = useCall(cabinetModelContract.options, {}, { staleTime: FRESH_MS, toasts: true });
  return <ManySelect {...rest} label="型号" options={models.data} />;
}
