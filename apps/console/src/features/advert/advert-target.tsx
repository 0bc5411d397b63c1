// A form's control for the cabinets that an advert is meant for.
import {
  TARGET_KINDS,
  type TargetKind,
  targetKindText,
} from "@cabinet/contract/advert/advert.rules.ts";
import { cabinetContract } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import type { Side } from "@cabinet/contract/cabinet-model/cabinet-model.contract.ts";
import { cabinetModelContract } from "@cabinet/contract/cabinet-model/cabinet-model.contract.ts";
import { storeContract } from "@cabinet/contract/store/store.contract.ts";
import Radio from "antd/es/radio";
import Select from "antd/es/select";
import { useDeferredValue, useState } from "react";
import { useCall } from "../../kit/query.ts";
import "./advert-target.css";

interface Named {
  id: number;
  name: string;
}

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

export interface TargetInputProps {
  /** Whose stores and cabinets can be chosen. */
  tenantId: number;
  /** These three are given by the form. */
  id?: string;
  value?: Target;
  onChange?: (target: Target) => void;
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

interface ChoiceProps {
  tenantId: number;
  chosen: readonly Named[];
  onChange: (chosen: readonly Named[]) => void;
}

interface ManySelectProps extends Omit<ChoiceProps, "tenantId"> {
  label: string;
  options: readonly Named[] | undefined;
  /** Asked elsewhere; absent: the options are all there are. */
  onSearch?: (text: string) => void;
}

function ManySelect({ label, options, chosen, onChange, onSearch }: ManySelectProps) {
  const known = new Map([...chosen, ...(options ?? [])].map((option) => [option.id, option]));
  return (
    <Select
      mode="multiple"
      aria-label={label}
      placeholder={`请选择${label}`}
      maxTagCount={6}
      loading={!options}
      showSearch={onSearch ? { filterOption: false, onSearch } : { optionFilterProp: "label" }}
      notFoundContent={options ? `没有可选的${label}` : "正在加载…"}
      value={chosen.map(({ id }) => id)}
      options={[...known.values()].map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(ids: number[]) => onChange(ids.flatMap((id) => known.get(id) ?? []))}
    />
  );
}

const FRESH_MS = 60_000;

function StoreSelect({ tenantId, ...rest }: ChoiceProps) {
  const stores = useCall(storeContract.options, { query: { tenantId } }, { staleTime: FRESH_MS });
  return <ManySelect {...rest} label="门店" options={stores.data} />;
}

function ModelSelect({ tenantId: _, ...rest }: ChoiceProps) {
  const models = useCall(cabinetModelContract.options, {}, { staleTime: FRESH_MS });
  return <ManySelect {...rest} label="型号" options={models.data} />;
}

const FOUND = 30;

function CabinetSelect({ tenantId, ...rest }: ChoiceProps) {
  const [text, setText] = useState("");
  const keyword = useDeferredValue(text.trim());
  const cabinets = useCall(
    cabinetContract.list,
    { query: { page: 1, pageSize: FOUND, tenantId, ...(keyword && { keyword }) } },
    { keepPreviousData: true, isQuiet: true },
  );
  const options = cabinets.data?.list.map(({ id, name, sn }) => ({ id, name: `${name}（${sn}）` }));
  return <ManySelect {...rest} label="设备" options={options} onSearch={setText} />;
}
