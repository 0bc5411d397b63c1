// The simulated cabinet on screen: switches, the drawn front, and the panel beside it.
import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type {
  CompartmentChange,
  SimulatedCabinetState,
} from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import { simulatedCabinetContract } from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { DoorSide } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { useMemo, useState } from "react";
import { CabinetDrawing } from "../../../domain/cabinet/cabinet-drawing.tsx";
import { SideSwitch } from "../../../domain/cabinet/side-switch.tsx";
import { usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import {
  type DrawnCompartment,
  differencesOf,
  drawnCompartments,
  openSide,
} from "./simulated-cabinet.rules.ts";
import { SimulatedDoor } from "./simulated-door.tsx";
import { SimulatedHeading } from "./simulated-heading.tsx";
import { SimulatedPanel } from "./simulated-panel.tsx";

export interface SimulatedCabinetViewProps {
  cabinet: CabinetDetail;
  cells: readonly Compartment[];
  state: SimulatedCabinetState;
  /** Error of the last refresh; null while the displayed state is fresh. */
  failure: string | null;
}

const otherContent = { PRESENT: "EMPTY", EMPTY: "PRESENT" } as const;

export function SimulatedCabinetView({
  cabinet,
  cells,
  state,
  failure,
}: SimulatedCabinetViewProps) {
  const [side, setSide] = useState<DoorSide>("FRONT");
  const [chosenNo, setChosenNo] = useState<number | null>(null);
  const mayAct = usePermission("command:open");
  const { act, actOn } = useHands(cabinet.id, state);
  const drawn = useMemo(() => drawnCompartments(state, cells), [state, cells]);
  const compartmentOf = (no: number) => drawn.find((compartment) => compartment.no === no);
  const isDouble = cabinet.side === "DOUBLE";
  const differences = differencesOf(state, cells, cabinet.connectivity);

  const close = (compartment: DrawnCompartment) => {
    const open = openSide(compartment);
    if (open) actOn(compartment.no, { close: open });
  };
  const swap = (compartment: DrawnCompartment) =>
    actOn(compartment.no, { content: otherContent[compartment.content] });
  const onKey = (key: string, no: number) => {
    const compartment = compartmentOf(no);
    if (!mayAct || !compartment || !openSide(compartment)) return false;
    if (key.toLowerCase() === "c") close(compartment);
    else if (key === " ") swap(compartment);
    else return false;
    return true;
  };
  const chosen = chosenNo === null ? undefined : compartmentOf(chosenNo);
  return (
    <>
      <SimulatedHeading
        cabinet={cabinet}
        state={state}
        failure={failure}
        onChange={mayAct ? act : undefined}
      />
      <div className="simulated-body">
        <section className="simulated-front">
          <header className="simulated-plate">
            <span className="simulated-lamp" data-on={state.hasPower && state.hasSession} />
            <span>{lampText(state)}</span>
            {isDouble && <SideSwitch label="从哪一面看" side={side} onSide={setSide} />}
          </header>
          <CabinetDrawing
            label={`${cabinet.name}的柜门`}
            cells={drawn}
            side={side}
            isDouble={isDouble}
            chosenNo={chosenNo}
            render={(compartment, isActive) => (
              <SimulatedDoor
                compartment={compartment}
                side={side}
                isActive={isActive}
                isChosen={compartment.no === chosenNo}
              />
            )}
            onChoose={(no, event) => {
              setChosenNo(no);
              const compartment = compartmentOf(no);
              const part = (event.target as Element).closest<HTMLElement>("[data-part]");
              if (!mayAct || !compartment || !part) return;
              if (part.dataset.part === "leaf") close(compartment);
              else swap(compartment);
            }}
            onKey={(event, no) => onKey(event.key, no)}
          />
          <footer className="simulated-keys">
            点开着的门关门，点格口内部放入或取出 · 方向键移动 · C 关门 · 空格放入或取出
          </footer>
        </section>
        <SimulatedPanel
          cabinetId={cabinet.id}
          state={state}
          differences={differences}
          chosen={chosen}
          onChange={mayAct && chosen ? (change) => actOn(chosen.no, change) : undefined}
          onClose={close}
          onSwap={swap}
        />
      </div>
    </>
  );
}

function lampText({ hasPower, hasLine, hasSession }: SimulatedCabinetState): string {
  if (!hasPower) return "已断电";
  if (!hasLine) return "网络已断开";
  return hasSession ? "已连接平台" : "正在连接平台";
}

/** Changes of the cabinet by hand. A person at a door sends the simulated people away. */
function useHands(cabinetId: number, { hasPeople }: SimulatedCabinetState) {
  const changeCabinet = useWrite(simulatedCabinetContract.change, { toasts: true });
  const changeCompartment = useWrite(simulatedCabinetContract.changeCompartment, { toasts: true });
  const act = (body: { hasPower?: boolean; hasLine?: boolean; hasPeople?: boolean }) =>
    changeCabinet.mutate({ params: { id: cabinetId }, body });
  const actOn = (no: number, body: CompartmentChange) => {
    const isTouch = body.close !== undefined || body.content !== undefined;
    if (hasPeople && isTouch) act({ hasPeople: false });
    changeCompartment.mutate({ params: { id: cabinetId, no }, body });
  };
  return { act, actOn };
}
