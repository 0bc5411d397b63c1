// Settings card of the edit page: editable desired values next to the live reported ones.
import {
  CabinetConfig,
  type CabinetDetail,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import {
  type ConfigLine,
  configLines,
  configName,
  configSync,
} from "@cabinet/contract/fleet/cabinet/config-sync.rules.ts";
import {
  configFields,
  configGroups,
  configValue,
} from "../../../domain/cabinet/cabinet-config-fields.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import { FormField } from "../../../ui/form/record-form.tsx";
import { ConfigStatus } from "./cabinet-columns.tsx";
import { ConfigSync } from "./config-sync.tsx";

const fieldNames = configFields.map(({ name }) => name);

export function CabinetEditConfig({ cabinet }: { cabinet: CabinetDetail }) {
  const lines = configLines(fieldNames, cabinet);
  const lineOf = (name: string) => lines.find((line) => line.name === name);
  const others = lines.slice(fieldNames.length);
  const isPending = configSync(cabinet).state === "PENDING";
  return (
    <PageCard title="设备参数" extra={<ConfigStatus cabinet={cabinet} />}>
      <ConfigSync cabinet={cabinet} />
      {configGroups.map(({ title, fields }) => (
        <section key={title} className="config-group" aria-label={title}>
          <h4>{title}</h4>
          {fields.map((field) => (
            <div key={field.name} className="config-line">
              <FormField schema={CabinetConfig} field={{ ...field, under: "config" }} />
              <Reported line={lineOf(field.name)} isPending={isPending} />
            </div>
          ))}
        </section>
      ))}
      {others.length > 0 && (
        <section className="config-group" aria-label="设备另外上报">
          <h4>设备另外上报</h4>
          <dl className="config-others">
            {others.map(({ name, reported }) => (
              <div key={name}>
                <dt>{configName(name)}</dt>
                <dd>{String(reported)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </PageCard>
  );
}

const states: Record<ConfigLine["state"], { text: string; tone: Tone }> = {
  SAME: { text: "一致", tone: "good" },
  DIFFERS: { text: "不一致", tone: "doubtful" },
  UNREPORTED: { text: "未上报", tone: "doubtful" },
  NONE: { text: "未下发", tone: "quiet" },
};

/** Compares the saved value, not unsaved input, with the reported one. */
function Reported({ line, isPending }: { line: ConfigLine | undefined; isPending: boolean }) {
  if (!line) return null;
  const { text, tone } = states[line.state];
  const isRunning = isPending && line.state === "DIFFERS";
  const reported = configValue(line.name, line.reported);
  return (
    <div className="config-reported" data-state={line.state}>
      <span className="config-value">
        设备上报 <b>{reported ?? "—"}</b>
        {line.state === "DIFFERS" && <small>已存期望 {configValue(line.name, line.desired)}</small>}
      </span>
      <Status tone={tone}>{isRunning ? "待同步" : text}</Status>
    </div>
  );
}
