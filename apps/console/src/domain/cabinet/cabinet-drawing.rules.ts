// Grid positions of a drawn cabinet from the front or the back, and arrow-key movement between
// cells.
import type { DoorSide } from "@cabinet/contract/vocabulary/hardware.rules.ts";

/** Cell with a position on the cabinet's front. */
export interface DrawnCell {
  /** Identifies the cell; unique in the drawing. */
  no: number;
  column: number;
  row: number;
  rowSpan: number;
}

export interface Placed<Cell extends DrawnCell> {
  cell: Cell;
  /** 1-based, from the left as seen from this side. */
  column: number;
}

export interface Board<Cell extends DrawnCell> {
  columns: number;
  rows: number;
  /** Rows from top to bottom, each with the cells that begin in it from left to right. */
  lines: { row: number; places: Placed<Cell>[] }[];
}

/**
 * Lays out the cabinet as seen from one side: the back mirrors left and right. The size covers all
 * cells and is at least `least`.
 */
export function boardOf<Cell extends DrawnCell>(
  cells: readonly Cell[],
  side: DoorSide,
  least: { columns: number; rows: number } = { columns: 0, rows: 0 },
): Board<Cell> {
  const columns = Math.max(least.columns, ...cells.map((cell) => cell.column));
  const rows = Math.max(least.rows, ...cells.map((cell) => cell.row + cell.rowSpan - 1));
  const byRow = Map.groupBy(
    cells.map((cell) => ({
      cell,
      column: { FRONT: cell.column, BACK: columns + 1 - cell.column }[side],
    })),
    ({ cell }) => cell.row,
  );
  const lines = [...byRow]
    .map(([row, places]) => ({ row, places: places.toSorted((a, b) => a.column - b.column) }))
    .toSorted((a, b) => a.row - b.row);
  return { columns, rows, lines };
}

export type Step = "up" | "down" | "left" | "right" | "row-start" | "row-end" | "first" | "last";

/** Returns the `no` of the neighbouring cell in that direction; at the edge, the same `no`. */
export function stepFrom<Cell extends DrawnCell>(
  { lines }: Board<Cell>,
  no: number,
  step: Step,
): number {
  const places = lines.flatMap((line) => line.places);
  const from = places.find(({ cell }) => cell.no === no);
  if (!from) return places[0]?.cell.no ?? no;
  const top = ({ cell }: Placed<Cell>) => cell.row;
  const distance = (place: Placed<Cell>) => {
    const end = place.cell.row + place.cell.rowSpan;
    return top(from) < place.cell.row
      ? place.cell.row - top(from)
      : Math.max(0, top(from) + 1 - end);
  };
  const nearest = (candidates: Placed<Cell>[], cost: (place: Placed<Cell>) => number) =>
    candidates.toSorted((a, b) => cost(a) - cost(b))[0];
  const beside = (direction: 1 | -1) =>
    nearest(
      places.filter((place) => (place.column - from.column) * direction > 0),
      (place) => (place.column - from.column) * direction * 1_000 + distance(place),
    );
  const inColumn = places.filter((place) => place.column === from.column);
  const inRow = places.filter((place) => distance(place) === 0);
  const target = {
    up: () =>
      nearest(
        inColumn.filter((place) => top(place) < top(from)),
        (place) => -top(place),
      ),
    down: () =>
      nearest(
        inColumn.filter((place) => top(place) > top(from)),
        top,
      ),
    left: () => beside(-1),
    right: () => beside(1),
    "row-start": () => nearest(inRow, (place) => place.column),
    "row-end": () => nearest(inRow, (place) => -place.column),
    first: () => places[0],
    last: () => places.at(-1),
  }[step]();
  return target?.cell.no ?? no;
}
