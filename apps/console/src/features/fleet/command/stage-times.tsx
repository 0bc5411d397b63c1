// Bar of a command's stage durations: queue, cabinet, door.
import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import { stageTimes } from "./stage-times.rules.ts";
import "../../../ui/display/basics.css";
import "./stage-times.css";

export function StageTimes({ command }: { command: Command }) {
  const times = stageTimes(command);
  if (times.length === 0) return <p className="ui-cell-none">暂无完成的阶段</p>;
  const total = times.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <div className="stage-times">
      <div className="stage-times-bar" aria-hidden="true">
        {times.map(({ stage, ms, text }) => (
          <i
            key={stage}
            data-stage={stage}
            title={`${text} ${ms} ms`}
            style={{ flexGrow: Math.max(ms, total / 50) }}
          />
        ))}
      </div>
      <ul>
        {times.map(({ stage, ms, text }) => (
          <li key={stage} data-stage={stage}>
            <span>{text}</span>
            <b>{ms} ms</b>
          </li>
        ))}
        <li>
          <span>合计</span>
          <b>{total} ms</b>
        </li>
      </ul>
    </div>
  );
}
