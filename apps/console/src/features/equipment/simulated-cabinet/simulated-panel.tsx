// Panel beside the simulated cabinet: the chosen compartment, differences from the platform, latest commands.
import type {
  CompartmentChange,
  SimulatedCabinetState,
} from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import { type Command, commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { itemStateText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { commandTitle, stateText } from "../../../domain/cabinet/command-stages.rules.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { NamedSwitch } from "./named-switch.tsx";
import {
  type Difference,
  type DrawnCompartment,
  openSide,
  stageText,
} from "./simulated-cabinet.rules.ts";

interface SimulatedPanelProps {
  cabinetId: number;
  state: SimulatedCabinetState;
  differences: readonly Difference[];
  chosen: DrawnCompartment | undefined;
  /** Undefined: no compartment is chosen, or this account may only look. */
  onChange: ((change: CompartmentChange) => void) | undefined;
  onClose: (compartment: DrawnCompartment) => void;
  onSwap: (compartment: DrawnCompartment) => void;
}

export function SimulatedPanel(props: SimulatedPanelProps) {
  const { cabinetId, state, differences, chosen } = props;
  const mayReadCommands = usePermission("command:read");
  return (
    <aside className="simulated-panel">
      <section aria-label="所选格口">
        {chosen ? <Chosen {...props} chosen={chosen} /> : <h2>请选择一个格口</h2>}
      </section>
      <section>
        <h2>设备与平台的差异</h2>
        <Differences rows={differences} />
      </section>
      {mayReadCommands && (
        <section>
          <h2>最近指令</h2>
          <Commands cabinetId={cabinetId} state={state} />
        </section>
      )}
    </aside>
  );
}

function Chosen({
  chosen,
  onChange,
  onClose,
  onSwap,
}: SimulatedPanelProps & { chosen: DrawnCompartment }) {
  const isOpen = openSide(chosen) !== null;
  const isFull = chosen.content === "PRESENT";
  return (
    <>
      <h2>{chosen.no} 号格口</h2>
      <p className="simulated-facts">
        {isOpen ? "门已开" : "门已关"} · 实际{itemStateText[chosen.content]} · 传感器
        {itemStateText[chosen.sensor]}
      </p>
      {onChange && (
        <>
          <div className="simulated-buttons">
            <Button disabled={!isOpen} onClick={() => onSwap(chosen)}>
              {isFull ? "取出物品" : "放入物品"}
            </Button>
            <Button disabled={!isOpen} onClick={() => onClose(chosen)}>
              关门
            </Button>
          </div>
          <div className="simulated-switches">
            <NamedSwitch
              label="锁卡住"
              isOn={chosen.isJammed}
              onChange={(isJammed) => onChange({ isJammed })}
            />
            <NamedSwitch
              label="传感器失灵"
              isOn={chosen.isSensorWrong}
              onChange={(isSensorWrong) => onChange({ isSensorWrong })}
            />
          </div>
        </>
      )}
    </>
  );
}

function Differences({ rows }: { rows: readonly Difference[] }) {
  if (rows.length === 0) return <p className="simulated-facts">无差异</p>;
  return (
    <table className="simulated-table">
      <thead>
        <tr>
          <th>项目</th>
          <th>设备</th>
          <th>平台</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ subject, cabinet, platform }) => (
          <tr key={subject}>
            <th scope="row">{subject}</th>
            <td>{cabinet}</td>
            <td>{platform}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Commands({ cabinetId, state }: Pick<SimulatedPanelProps, "cabinetId" | "state">) {
  const answer = useCall(commandContract.list, { query: { page: 1, pageSize: 5, cabinetId } });
  useLiveRefresh("command", () => answer.refetch(), { cabinetId, pace: "close" });
  const commands = answer.data?.list ?? [];
  if (commands.length === 0) return <p className="simulated-facts">暂无指令</p>;
  const stageOf = new Map(state.commands.map(({ cmdId, stage }) => [cmdId, stage]));
  return (
    <table className="simulated-table">
      <thead>
        <tr>
          <th>指令</th>
          <th>设备</th>
          <th>平台</th>
        </tr>
      </thead>
      <tbody>
        {commands.map((command: Command) => {
          const stage = stageOf.get(command.id);
          return (
            <tr key={command.id}>
              <th scope="row">{commandTitle(command)}</th>
              <td>{stage ? stageText(stage) : "无记录"}</td>
              <td>{stateText(command.kind, command.state)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
