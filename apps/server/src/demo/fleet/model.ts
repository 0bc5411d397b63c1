// Cabinet models of the demo: layouts twelve units high with doors of mixed sizes.

import type { Capability } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.rules.ts";
import type { LayoutCell } from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import type { Size } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";

export interface DemoModel {
  /** Part of the serial numbers of its cabinets. */
  code: string;
  name: string;
  side: Side;
  vendor: string;
  capabilities: Capability[];
  heartbeatSeconds: number;
  offlineSeconds: number;
  remark: string;
  columns: number;
  layout: LayoutCell[];
}

/** Height in grid rows. */
export const MODEL_ROWS = 12;

const heights: Record<string, number> = { S: 1, M: 2, L: 3, XL: 4 };

/**
 * Layout by columns from left to right, each from top to bottom; `_3` is a gap of three rows for
 * the screen. One lock board drives one column.
 */
function layoutOf(columns: readonly string[]): LayoutCell[] {
  let no = 0;
  return columns.flatMap((sizes, index) => {
    let row = 1;
    let channel = 0;
    return sizes.split(" ").flatMap((size) => {
      if (size.startsWith("_")) {
        row += Number(size.slice(1));
        return [];
      }
      const rowSpan = heights[size] as number;
      const board = String(index + 1).padStart(2, "0");
      const cell = {
        no: ++no,
        size: size as Size,
        column: index + 1,
        row,
        rowSpan,
        boardAddress: `${board}-${String(++channel).padStart(2, "0")}`,
      };
      row += rowSpan;
      return [cell];
    });
  });
}

const small = "S S S S S S S S M M";
const low = "S S S S S S S S S L";
const mixed = "S S S S S S S M L";
const screen = "S S S _3 S S S S S S";
const tall = "S S S S S M M L";
const large = "XL L L M";

const everyday: Capability[] = ["OPEN", "REBOOT", "RESYNC", "CONFIG", "ITEM_SENSOR"];

function modelOf(
  code: string,
  name: string,
  side: Side,
  columns: readonly string[],
  more: Partial<DemoModel> = {},
): DemoModel {
  return {
    code,
    name,
    side,
    vendor: "智存柜体",
    capabilities: everyday,
    heartbeatSeconds: 30,
    offlineSeconds: 90,
    remark: "",
    columns: columns.length,
    layout: layoutOf(columns),
    ...more,
  };
}

/** Models in use by demo cabinets. */
export const demoModels: readonly DemoModel[] = [
  modelOf("S24", "单面柜 24 格", "SINGLE", [tall, tall, tall]),
  modelOf("S36", "单面柜 36 格", "SINGLE", [mixed, screen, mixed, mixed], {
    capabilities: [...everyday, "FIRMWARE", "ADVERT"],
    remark: "第 2 列中部为 10 寸屏与主控",
  }),
  modelOf("S60", "单面柜 60 格", "SINGLE", [small, low, small, low, small, low], {
    capabilities: [...everyday, "FIRMWARE"],
    heartbeatSeconds: 20,
    offlineSeconds: 60,
  }),
  modelOf("D24", "双面柜 24 格", "DOUBLE", [tall, tall, tall], {
    vendor: "联智箱柜",
    remark: "骑手从背面存，取件人从正面取",
  }),
  modelOf("D36", "双面柜 36 格", "DOUBLE", [tall, large, tall, large, tall, large], {
    vendor: "联智箱柜",
    capabilities: [...everyday, "FIRMWARE"],
    heartbeatSeconds: 60,
    offlineSeconds: 180,
  }),
];

/** Registered model without any cabinet. */
export const spareModel = modelOf(
  "S13",
  "单面大件柜 13 格",
  "SINGLE",
  [large, "S S _3 S S S XL", "XL XL XL"],
  {
    capabilities: ["OPEN", "REBOOT"],
    remark: "待首批到货",
  },
);
