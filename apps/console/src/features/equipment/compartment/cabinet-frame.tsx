// Frame of the drawn cabinet: a header with the age of the data, and the doors below.

import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { DoorSide } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { SideSwitch } from "../../../domain/cabinet/side-switch.tsx";
import { Age } from "../../../ui/display/status.tsx";
import { CabinetBoard, type CabinetBoardProps } from "./cabinet-board.tsx";
import "./cabinet-frame.css";

export interface CabinetFrameProps extends Omit<CabinetBoardProps, "label"> {
  cabinet: CabinetDetail;
  failure: string | null;
  onSide: (side: DoorSide) => void;
}

export function CabinetFrame({ cabinet, failure, onSide, ...board }: CabinetFrameProps) {
  const isDouble = cabinet.side === "DOUBLE";
  const isStale = failure !== null || cabinet.connectivity !== "ONLINE";
  return (
    <section className="cabinet" data-stale={isStale}>
      <header className="cabinet-plate">
        {isDouble && (
          <>
            <SideSwitch label="从哪一面看" side={board.side} onSide={onSide} />
            <span>{board.side === "BACK" && "从背面看，左右相反；"}两面的门不能同时打开</span>
          </>
        )}
        <span className="cabinet-freshness">
          <Freshness cabinet={cabinet} failure={failure} />
        </span>
      </header>
      <div className="cabinet-scroll">
        <CabinetBoard {...board} label={`${cabinet.name}的格口`} />
      </div>
      <footer className="cabinet-keys">方向键移动 · 回车查看{board.onOpen && " · O 开门"}</footer>
    </section>
  );
}

function Freshness({ cabinet, failure }: Pick<CabinetFrameProps, "cabinet" | "failure">) {
  if (failure !== null) return `刷新失败，以下可能不是最新状态：${failure}`;
  if (cabinet.connectivity === "ONLINE") return "设备在线，以下是当前状态";
  if (cabinet.connectivity === "NEVER") return "设备从未连接，箱门与物品状态未知";
  const state = { CONNECTING: "设备连接中", OFFLINE: "设备离线" }[cabinet.connectivity];
  return (
    <>
      {state}，以下是 <Age time={cabinet.lastSeenAt} />
      的状态
    </>
  );
}
