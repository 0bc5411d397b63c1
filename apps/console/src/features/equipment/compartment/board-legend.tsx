// Legend of colours and icons with the number of doors for each; a click filters by it.
import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import {
  CABINET_CONDITIONS,
  CONDITIONS,
  type Condition,
  conditionText,
  countConditions,
} from "./board.rules.ts";
import { CompartmentIcon } from "./compartment-icon.tsx";
import "../../../ui/display/basics.css";
import "./board-legend.css";

export interface BoardLegendProps {
  cells: readonly Compartment[];
  filter: Condition | null;
  onFilter: (filter: Condition | null) => void;
}

export function BoardLegend({ cells, filter, onFilter }: BoardLegendProps) {
  const counts = countConditions(cells);
  return (
    <fieldset className="legend ui-sideways" aria-label="按状态查看格口">
      <button type="button" aria-pressed={filter === null} onClick={() => onFilter(null)}>
        全部 <b>{cells.length}</b>
      </button>
      {CONDITIONS.filter(
        (condition) => !CABINET_CONDITIONS.includes(condition) || counts[condition] > 0,
      ).map((condition) => (
        <button
          key={condition}
          type="button"
          data-condition={condition}
          aria-pressed={filter === condition}
          title={`只看${conditionText[condition]}的格口；一个格口可能同时有几种状态`}
          onClick={() => onFilter(filter === condition ? null : condition)}
        >
          <CompartmentIcon of={condition} />
          {conditionText[condition]} <b>{counts[condition]}</b>
        </button>
      ))}
    </fieldset>
  );
}
