// Cabinet settings as form fields: label, unit, control.
import { CabinetConfig } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { configName } from "@cabinet/contract/fleet/cabinet/config-sync.rules.ts";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import type { ReactElement } from "react";
import type { Field } from "../../ui/form/record-form.tsx";

export interface ConfigField extends Field<keyof CabinetConfig> {
  unit: string;
}

interface Facts {
  type?: string;
  minimum?: number;
  maximum?: number;
}

const factsOf = (name: keyof CabinetConfig) => CabinetConfig.properties[name] as Facts;

function number(name: keyof CabinetConfig, unit: string): ConfigField {
  const { minimum = 0, maximum = 0, type } = factsOf(name);
  const precision = type === "integer" ? 0 : 1;
  return {
    name,
    unit,
    label: `${configName(name)}（${minimum}${minimum < 0 ? " 至 " : "–"}${maximum} ${unit}）`,
    control: <InputNumber precision={precision} suffix={unit} placeholder="设备默认" />,
  };
}

function clock(name: keyof CabinetConfig, example: string): ConfigField {
  const control: ReactElement = <Input maxLength={5} placeholder={`如：${example}`} />;
  return { name, unit: "", label: `${configName(name)}（24 小时制，时和分各两位）`, control };
}

export const configGroups: { title: string; fields: ConfigField[] }[] = [
  {
    title: "声音与灯光",
    fields: [number("volume", "%"), clock("lightOnAt", "18:00"), clock("lightOffAt", "06:00")],
  },
  {
    title: "温度",
    fields: [
      number("temperatureTargetC", "℃"),
      clock("temperatureFromAt", "08:00"),
      clock("temperatureToAt", "22:00"),
    ],
  },
  {
    title: "报警阈值",
    fields: [
      number("temperatureHighC", "℃"),
      number("temperatureLowC", "℃"),
      number("doorOpenAlarmSeconds", "秒"),
      number("signalPoorDbm", "dBm"),
      number("supplyLowVolts", "V"),
    ],
  },
  { title: "通讯", fields: [number("heartbeatSeconds", "秒")] },
];

export const configFields = configGroups.flatMap(({ fields }) => fields);

/** Formats a setting with its unit (`60 %`, `18:30`); undefined when nothing is set. */
export function configValue(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const unit = configFields.find((field) => field.name === name)?.unit;
  return unit ? `${value} ${unit}` : String(value);
}
