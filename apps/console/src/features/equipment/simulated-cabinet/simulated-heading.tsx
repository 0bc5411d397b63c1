// Heading of the simulated cabinet: its name, power, network and simulated people, and the way back.

import type {
  CabinetChange,
  SimulatedCabinetState,
} from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { ConnectivityStatus } from "../../../domain/cabinet/cabinet-status.tsx";
import { PageHelp } from "../../../domain/page-help.tsx";
import { Link, pathTo } from "../../../kit/paths.ts";
import { NamedSwitch } from "./named-switch.tsx";

interface SimulatedHeadingProps {
  cabinet: CabinetDetail;
  state: SimulatedCabinetState;
  failure: string | null;
  /** Undefined: this account may only look. */
  onChange: ((change: CabinetChange) => void) | undefined;
}

export function SimulatedHeading({ cabinet, state, failure, onChange }: SimulatedHeadingProps) {
  const named = [
    { name: "hasPower", label: "电源", isOn: state.hasPower },
    { name: "hasLine", label: "网络", isOn: state.hasLine },
    { name: "hasPeople", label: "自动存取与关门", isOn: state.hasPeople },
  ] as const;
  return (
    <header className="simulated-heading">
      <div className="simulated-title">
        <h2>
          <span>模拟柜机</span>
          {cabinet.name}
        </h2>
        <span className="simulated-sn">{cabinet.sn}</span>
        <ConnectivityStatus of={cabinet.connectivity} />
        <Link className="ui-link" to={pathTo("/cupboard/blockManage", { id: cabinet.id })}>
          格口管理
        </Link>
        <PageHelp />
      </div>
      <div className="simulated-switches">
        {named.map(({ name, label, isOn }) => (
          <NamedSwitch
            key={name}
            label={label}
            isOn={isOn}
            onChange={onChange && ((checked) => onChange({ [name]: checked }))}
          />
        ))}
      </div>
      {failure !== null && (
        <p className="simulated-failure" role="alert">
          刷新失败，以下可能不是最新状态：{failure}
        </p>
      )}
    </header>
  );
}
