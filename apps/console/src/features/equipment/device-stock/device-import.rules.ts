// Columns of a device in a file, and the checks of its lines.
import {
  judgeLines,
  normalizeText,
  type StockLine,
} from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import type { ImportColumns, Judge } from "../../../ui/import/import.rules.ts";

export type DeviceColumn = Exclude<keyof StockLine, "line">;

export const deviceColumns: ImportColumns<DeviceColumn> = {
  sn: {
    title: "设备编号",
    aliases: ["编号", "sn", "序列号", "设备sn", "出厂编号"],
    isRequired: true,
    form: "code",
    width: 28,
  },
  model: {
    title: "型号",
    aliases: ["设备类型", "设备型号", "类型"],
    isRequired: true,
    width: 24,
  },
  batch: { title: "批次", aliases: ["批次号", "批号"], width: 18 },
  remark: { title: "备注", aliases: ["说明"], width: 36 },
};

/** Checks by the server's rules, except for numbers that only the server knows. */
export function judgeDevices(models: readonly { id: number; name: string }[]): Judge<DeviceColumn> {
  const byName = new Map(models.map(({ id, name }) => [normalizeText(name), id]));
  return (lines) => {
    const given = lines.map(({ line, values }) => ({ line, ...values }));
    return judgeLines(given, { models: byName, taken: new Map() }).map(
      ({ given: { line, ...values }, result, message }) => ({ line, values, result, message }),
    );
  };
}
