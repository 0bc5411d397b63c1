// The columns of the firmware list.
import type { Firmware } from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import {
  type FirmwareState,
  firmwareStateText,
} from "@cabinet/contract/fleet/firmware/firmware.rules.ts";
import { sizeText } from "@cabinet/contract/kit/upload.rules.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { timeColumn } from "../../../ui/list/time-column.ts";

const tones: Record<FirmwareState, Tone> = {
  DRAFT: "doubtful",
  RELEASED: "good",
  WITHDRAWN: "quiet",
};

export function FirmwareStatus({ firmware: { state, withdrawnReason } }: { firmware: Firmware }) {
  return (
    <Status tone={tones[state]} title={withdrawnReason ?? firmwareStateText[state]}>
      {firmwareStateText[state]}
    </Status>
  );
}

export function modelsText({ models }: Firmware): string {
  return models.map(({ name }) => name).join("、");
}

export const firmwareColumns: Column<Firmware>[] = [
  { key: "version", title: "版本号", width: 112 },
  {
    key: "state",
    title: "状态",
    width: 92,
    value: (firmware) => firmwareStateText[firmware.state],
    render: (firmware) => <FirmwareStatus firmware={firmware} />,
  },
  { key: "models", title: "适用型号", width: 172, exportWidth: 40, value: modelsText },
  { key: "minVersion", title: "最低版本", width: 92 },
  {
    key: "running",
    title: "已运行 / 设备数",
    width: 128,
    align: "right",
    value: ({ runningCount, cabinetCount }) => `${runningCount} / ${cabinetCount}`,
  },
  {
    key: "size",
    title: "大小",
    width: 84,
    align: "right",
    value: (firmware) => sizeText(firmware.sizeBytes),
  },
  { key: "notes", title: "更新说明", width: 160, exportWidth: 50 },
  timeColumn("releasedAt", "发布时间"),
  { key: "createdBy", title: "上传人", width: 96, isSecondary: true },
];
