// Drawing of a layout from the front or the back.
import type { Layout, LayoutCell } from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import { type DoorSide, SIZES, sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { useState } from "react";
import { CabinetDrawing } from "../../../domain/cabinet/cabinet-drawing.tsx";
import { SideSwitch } from "../../../domain/cabinet/side-switch.tsx";
import "./layout-drawing.css";

/** Formats as `小 20、中 8、大 4`; leaves out sizes that do not occur. */
export function sizesText(count: Readonly<Record<LayoutCell["size"], number>>): string {
  return SIZES.filter((size) => count[size] > 0)
    .map((size) => `${sizeText[size]} ${count[size]}`)
    .join("、");
}

export interface LayoutDrawingProps {
  name: string;
  layout: Layout;
  isDouble: boolean;
}

export function LayoutDrawing({ name, layout, isDouble }: LayoutDrawingProps) {
  const [side, setSide] = useState<DoorSide>("FRONT");
  return (
    <div className="layout-drawing">
      {isDouble && (
        <div className="layout-side">
          <SideSwitch label="从哪一面看" side={side} onSide={setSide} />
          <span>{{ BACK: "从背面看，左右相反", FRONT: "背面是同一批格口" }[side]}</span>
        </div>
      )}
      <div className="layout-body">
        <CabinetDrawing
          label={`${name}的布局`}
          cells={layout.cells}
          side={side}
          isDouble={false}
          least={layout}
          render={(cell, isActive) => (
            <button
              type="button"
              className="door layout-door"
              data-no={cell.no}
              data-size={cell.size}
              tabIndex={isActive ? 0 : -1}
              title={`${cell.no} 号格口，${sizeText[cell.size]}，驱动板地址 ${cell.boardAddress}`}
            >
              <span className="door-head">
                <b>{cell.no}</b>
                <span className="door-size">{sizeText[cell.size]}</span>
              </span>
              <span className="layout-address">{cell.boardAddress}</span>
            </button>
          )}
        />
      </div>
    </div>
  );
}
