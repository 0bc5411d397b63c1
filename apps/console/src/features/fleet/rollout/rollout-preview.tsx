// Preview of a roll-out: target count per stage, and skipped cabinets with reasons.
import {
  type RolloutPreview as Preview,
  rolloutContract,
} from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import { stagePercentsProblem, stageSizes } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import Form from "antd/es/form";
import { useCall } from "../../../kit/query.ts";
import { percentsOf } from "./rollout-display.rules.ts";
import type { RolloutFields } from "./rollout-fields.ts";
import "./rollout-preview.css";

export function RolloutPreview({ cabinetIds }: { cabinetIds: readonly number[] | undefined }) {
  const form = Form.useFormInstance<RolloutFields>();
  const fields = Form.useWatch((values: Partial<RolloutFields>) => values, {
    form,
    preserve: true,
  });
  const { kind = "FIRMWARE", firmwareId, tenantId, storeId, modelId, side } = fields ?? {};
  const ids = cabinetIds ?? fields?.cabinets?.map(({ id }) => id) ?? [];
  const isAskable = kind === "CONFIG" || firmwareId !== undefined;
  const answer = useCall(
    rolloutContract.preview,
    {
      query: {
        kind,
        ...(kind === "FIRMWARE" && firmwareId !== undefined && { firmwareId }),
        ...(tenantId !== undefined && { tenantId }),
        ...(storeId !== undefined && { storeId }),
        ...(modelId !== undefined && { modelId }),
        ...(side !== undefined && { side }),
        ...(ids.length > 0 && { cabinetIds: ids.join(",") }),
      },
    },
    { enabled: isAskable },
  );
  if (!isAskable) return <span className="rollout-preview">选择固件后，这里显示每批的设备数</span>;
  if (answer.error) {
    return (
      <span className="rollout-preview" role="alert">
        {answer.error.message}
      </span>
    );
  }
  if (!answer.data) return <span className="rollout-preview">正在计算每批的设备数…</span>;
  const percents = percentsOf(fields?.stages ?? "");
  const sizes =
    percents && !stagePercentsProblem(percents) ? stageSizes(answer.data.count, percents) : [];
  return (
    <span className="rollout-preview" role="status">
      <span>
        将下发到 <b>{answer.data.count}</b> 台设备，其中在线 {answer.data.online} 台
      </span>
      {answer.data.count > 0 && sizes.length > 0 && (
        <span className="rollout-preview-stages">
          {sizes.map((size, at) => (
            <span key={percents?.[at]}>
              第 {at + 1} 批 <b>{size}</b> 台
            </span>
          ))}
        </span>
      )}
      {notes(answer.data).map((note) => (
        <span key={note}>{note}</span>
      ))}
    </span>
  );
}

function notes(preview: Preview): string[] {
  const { alreadyThere, otherModel, busy, belowMinVersion, newer } = preview;
  const all: [number, string][] = [
    [alreadyThere, "台已是该版本，不重复下发"],
    [otherModel, "台型号不适用，不下发"],
    [busy, "台正在另一个同类任务中，不下发"],
    [belowMinVersion, "台现有版本低于最低版本，不下发：请先升级到中间版本"],
    [newer, "台现有版本更高，将会降级"],
  ];
  return all.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
}
