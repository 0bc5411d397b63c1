// Compartments that need attention, with advice for each; shown while no compartment is chosen.
import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { unavailableText } from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import { conditionsOf, needsHand } from "./board.rules.ts";
import { CompartmentIcon } from "./compartment-icon.tsx";
import "./attention-list.css";

export interface AttentionListProps {
  cells: readonly Compartment[];
  onChoose: (no: number) => void;
}

export function AttentionList({ cells, onChoose }: AttentionListProps) {
  const urgent = cells.filter(needsHand);
  return (
    <>
      {urgent.length === 0 && <p className="attention-none">没有需要处理的格口。</p>}
      <ul className="attention">
        {urgent.map((cell) => {
          const [condition] = conditionsOf(cell);
          const reason = cell.unavailableReason && unavailableText[cell.unavailableReason];
          return (
            <li key={cell.no}>
              <button type="button" data-condition={condition} onClick={() => onChoose(cell.no)}>
                <b>{cell.no}</b>
                <CompartmentIcon of={condition} />
                <span>
                  {reason?.why}
                  <small>{cell.adminReason ?? reason?.mend}</small>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <p className="attention-hint">点击格口查看详情、开门或处理。</p>
    </>
  );
}
