// Cabinet drawing with its heading, legend and panel, and the dialogs over them.

import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { DoorSide } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { openRefusal, proposedSide } from "../../../domain/cabinet/open-door.rules.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { DetailDrawer } from "../../../ui/display/detail-drawer.tsx";
import { EmptyState } from "../../../ui/display/states.tsx";
import { useNow } from "../../../ui/display/status.tsx";
import { AttentionList } from "./attention-list.tsx";
import type { Condition } from "./board.rules.ts";
import { BoardHeading } from "./board-heading.tsx";
import { BoardLegend } from "./board-legend.tsx";
import { CabinetFrame } from "./cabinet-frame.tsx";
import { useCompartmentActions } from "./compartment-actions.tsx";
import { CompartmentPanel, panelTitle } from "./compartment-panel.tsx";
import { OpenDoorDialog } from "./open-door-dialog.tsx";
import { StockAudit } from "./stock-audit/stock-audit.tsx";
import { useIsWide } from "./use-is-wide.ts";
import "./board-view.css";

export interface BoardViewProps {
  cabinet: CabinetDetail;
  cells: readonly Compartment[];
  /** Error of the last refresh; null while the displayed state is fresh. */
  failure: string | null;
  refreshFacts: () => void;
}

export function BoardView({ cabinet, cells, failure, refreshFacts }: BoardViewProps) {
  const now = useNow();
  const isWide = useIsWide();
  const mayOpen = usePermission("command:open");
  const mayAudit = usePermission("compartment:clear");
  const [params, setParams] = useSearchParams();
  const [filter, setFilter] = useState<Condition | null>(null);
  const [side, setSide] = useState<DoorSide>("FRONT");
  const [opening, setOpening] = useState<{ no: number; side: DoorSide } | null>(null);
  const [isAuditing, setIsAuditing] = useState(false);
  const { ask, dialog } = useAction();
  const actions = useCompartmentActions(cabinet, ask);

  const cellOf = (no: number | undefined) => cells.find((cell) => cell.no === no);
  const chosen = cellOf(Number(params.get("no")));
  const choose = (no: number | null) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (no === null) after.delete("no");
        else after.set("no", String(no));
        return after;
      },
      { replace: true },
    );
  const open = (no: number) => {
    const cell = cellOf(no);
    if (cell) setOpening({ no, side: proposedSide(cell, side) });
  };

  const frame = {
    cabinet,
    cells,
    failure,
    side,
    onSide: setSide,
    now,
    chosenNo: chosen?.no ?? null,
  };
  const panel = chosen && (
    <CompartmentPanel
      key={chosen.no}
      cabinet={cabinet}
      cell={chosen}
      now={now}
      offered={actions}
      onOpen={() => open(chosen.no)}
      onAudit={() => setIsAuditing(true)}
    />
  );

  return (
    <div className="board-page">
      <BoardHeading cabinet={cabinet} now={now} refreshFacts={refreshFacts}>
        {mayAudit && !isAuditing && cells.length > 0 && (
          <Button onClick={() => setIsAuditing(true)}>盘点</Button>
        )}
      </BoardHeading>
      {cells.length === 0 ? (
        <EmptyState
          title="暂无格口"
          hint="格口按设备型号的布局生成，请检查设备型号是否设置了布局。"
        />
      ) : isAuditing ? (
        <StockAudit {...frame} onChoose={choose} onLeave={() => setIsAuditing(false)} />
      ) : (
        <>
          <BoardLegend cells={cells} filter={filter} onFilter={setFilter} />
          <div className="board-body">
            <CabinetFrame
              {...frame}
              filter={filter}
              onChoose={choose}
              onOpen={mayOpen && !openRefusal(cabinet) ? open : undefined}
            />
            {isWide && (
              <aside className="board-aside" aria-label={chosen ? panelTitle(chosen) : "需要处理"}>
                <header>
                  <h3>{chosen ? panelTitle(chosen) : "需要处理"}</h3>
                  {chosen && (
                    <button type="button" className="ui-link" onClick={() => choose(null)}>
                      关闭
                    </button>
                  )}
                </header>
                {panel ?? <AttentionList cells={cells} onChoose={choose} />}
              </aside>
            )}
          </div>
          {!isWide && (
            <DetailDrawer
              open={chosen !== undefined}
              title={chosen && panelTitle(chosen)}
              width={420}
              onClose={() => choose(null)}
            >
              {panel}
            </DetailDrawer>
          )}
        </>
      )}
      {dialog}
      <OpenDoorDialog
        cabinet={cabinet}
        cell={cellOf(opening?.no)}
        side={opening?.side ?? "FRONT"}
        onSide={(chosenSide) => setOpening((before) => before && { ...before, side: chosenSide })}
        now={now}
        onClose={() => setOpening(null)}
      />
    </div>
  );
}
