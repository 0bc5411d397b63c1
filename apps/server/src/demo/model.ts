// The demo's cabinet models: layouts of twelve units' height with doors of mixed sizes.
import type { Side } from "@cabinet/contract/cabinet-model/cabinet-model.contract.ts";
import type { Size } from "@cabinet/contract/compartment/compartment.rules.ts";

export interface Cell {
  no: number;
  size: Size;
  column: number;
  row: number;
  rowSpan: number;
  boardAddress: string;
}

export interface DemoModel {
  /** As it stands in the numbers of its cabinets. */
  code: string;
  name: string;
  side: Side;
  layout: Cell[];
}

const heights: Record<string, number> = { S: 1, M: 2, L: 3, XL: 4 };

/** Columns from left to right, each from top to bottom; one lock board drives one column. */
function layoutOf(columns: readonly string[]): Cell[] {
  let no = 0;
  return columns.flatMap((sizes, index) => {
    let row = 1;
    return sizes.split(" ").map((size, place) => {
      const rowSpan = heights[size] as number;
      const cell = {
        no: ++no,
        size: size as Size,
        column: index + 1,
        row,
        rowSpan,
        boardAddress: `${String(index + 1).padStart(2, "0")}-${String(place + 1).padStart(2, "0")}`,
      };
      row += rowSpan;
      return cell;
    });
  });
}

const small = "S S S S S S S S M M";
const low = "S S S S S S S S S L";
const mixed = "S S S S S S S M L";
const tall = "S S S S S M M L";
const large = "XL L L M";

export const demoModels: readonly DemoModel[] = [
  { code: "S24", name: "单面柜 24 格", side: "SINGLE", layout: layoutOf([tall, tall, tall]) },
  {
    code: "S36",
    name: "单面柜 36 格",
    side: "SINGLE",
    layout: layoutOf([mixed, mixed, mixed, mixed]),
  },
  {
    code: "S60",
    name: "单面柜 60 格",
    side: "SINGLE",
    layout: layoutOf([small, low, small, low, small, low]),
  },
  { code: "D24", name: "双面柜 24 格", side: "DOUBLE", layout: layoutOf([tall, tall, tall]) },
  {
    code: "D36",
    name: "双面柜 36 格",
    side: "DOUBLE",
    layout: layoutOf([tall, large, tall, large, tall, large]),
  },
];
