// Layout being edited: the tools, the selection, and the undo history.
import {
  type Layout,
  type LayoutCell,
  MAX_COLUMNS,
  MAX_ROWS,
} from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import type { Size } from "@cabinet/contract/vocabulary/hardware.rules.ts";

export interface DraftCell extends LayoutCell {
  /** Positive; stable while number and place change. */
  id: number;
}

export interface Draft {
  columns: number;
  rows: number;
  cells: DraftCell[];
  nextId: number;
}

/** Place (column and row) without a door. */
export interface Gap {
  /** Negative, calculated from its place. */
  id: number;
  column: number;
  row: number;
}

export function draftOf({ columns, rows, cells }: Layout): Draft {
  return {
    columns,
    rows,
    cells: cells.map((cell, index) => ({ ...cell, id: index + 1 })),
    nextId: cells.length + 1,
  };
}

export function layoutOf({ columns, rows, cells }: Draft): Layout {
  return { columns, rows, cells: cells.map(({ id: _, ...cell }) => cell) };
}

/** Initial layout of a new model: complete, so that it can be saved as it is. */
export function firstLayout(columns = 3, rows = 8): Layout {
  const gaps = gapsOf({ columns, rows, cells: [], nextId: 1 });
  const empty: Draft = { columns, rows, cells: [], nextId: 1 };
  const ids = gaps.map((gap) => gap.id);
  return layoutOf(fillAddresses(renumber(addCells(empty, ids, "S"), "columns"), null));
}

const gapId = (column: number, row: number) => -(column * 1_000 + row);
const lastRow = ({ row, rowSpan }: LayoutCell) => row + rowSpan - 1;
const byColumn = (one: LayoutCell, other: LayoutCell) =>
  one.column - other.column || one.row - other.row;
const byRow = (one: LayoutCell, other: LayoutCell) =>
  one.row - other.row || one.column - other.column;

export function gapsOf({ columns, rows, cells }: Draft): Gap[] {
  const taken = new Set(
    cells.flatMap((cell) =>
      Array.from({ length: cell.rowSpan }, (_, n) => gapId(cell.column, cell.row + n)),
    ),
  );
  const gaps: Gap[] = [];
  for (let column = 1; column <= columns; column++) {
    for (let row = 1; row <= rows; row++) {
      const id = gapId(column, row);
      if (!taken.has(id)) gaps.push({ id, column, row });
    }
  }
  return gaps;
}

const twoDigits = (number: number) => String(number).padStart(2, "0");

function freeAddress(cells: readonly LayoutCell[], column: number): string {
  const taken = new Set(cells.map((cell) => cell.boardAddress));
  for (let channel = 1; ; channel++) {
    const address = `${twoDigits(column)}-${twoDigits(channel)}`;
    if (!taken.has(address)) return address;
  }
}

/** Adds doors in these gaps, with the lowest free numbers and addresses. */
export function addCells(draft: Draft, gapIds: readonly number[], size: Size): Draft {
  const cells = [...draft.cells];
  let { nextId } = draft;
  for (const { id, column, row } of gapsOf(draft)) {
    if (!gapIds.includes(id)) continue;
    const nos = new Set(cells.map((cell) => cell.no));
    let no = 1;
    while (nos.has(no)) no++;
    const boardAddress = freeAddress(cells, column);
    cells.push({ id: nextId++, no, size, column, row, rowSpan: 1, boardAddress });
  }
  return { ...draft, cells, nextId };
}

export function removeCells(draft: Draft, ids: readonly number[]): Draft {
  return { ...draft, cells: draft.cells.filter((cell) => !ids.includes(cell.id)) };
}

export function editCells(
  draft: Draft,
  ids: readonly number[],
  edit: Partial<Pick<LayoutCell, "no" | "size" | "boardAddress">>,
): Draft {
  return {
    ...draft,
    cells: draft.cells.map((cell) => (ids.includes(cell.id) ? { ...cell, ...edit } : cell)),
  };
}

/** Limits the span to the rows below, and removes doors that it then covers. */
export function setSpan(draft: Draft, ids: readonly number[], rowSpan: number): Draft {
  let { cells } = draft;
  for (const id of ids) {
    const door = cells.find((cell) => cell.id === id);
    if (!door) continue;
    const span = Math.max(1, Math.min(rowSpan, draft.rows - door.row + 1));
    const grown = { ...door, rowSpan: span };
    cells = cells
      .filter((cell) => cell.id === id || !isCovered(cell, grown))
      .map((cell) => (cell.id === id ? grown : cell));
  }
  return { ...draft, cells };
}

function isCovered(cell: LayoutCell, by: LayoutCell): boolean {
  return cell.column === by.column && cell.row > by.row && cell.row <= lastRow(by);
}

/**
 * Merges the selection of one column into one door, which keeps the number of the uppermost;
 * otherwise null.
 */
export function mergeCells(draft: Draft, ids: readonly number[]): Draft | null {
  const places = [...draft.cells, ...gapsOf(draft).map((gap) => ({ ...gap, rowSpan: 1 }))].filter(
    ({ id }) => ids.includes(id),
  );
  const first = draft.cells.filter(({ id }) => ids.includes(id)).toSorted(byColumn)[0];
  if (!first || places.length < 2) return null;
  if (places.some(({ column }) => column !== first.column)) return null;
  const top = Math.min(...places.map(({ row }) => row));
  const bottom = Math.max(...places.map(({ row, rowSpan }) => row + rowSpan - 1));
  const covered = places.reduce((sum, { rowSpan }) => sum + rowSpan, 0);
  if (covered !== bottom - top + 1) return null;
  const merged = { ...first, row: top, rowSpan: covered };
  const rest = draft.cells.filter((cell) => !ids.includes(cell.id));
  return { ...draft, cells: [...rest, merged] };
}

/** Splits tall doors into single ones; the first keeps its number. */
export function splitCells(draft: Draft, ids: readonly number[]): Draft {
  const tall = draft.cells.filter((cell) => ids.includes(cell.id) && cell.rowSpan > 1);
  return tall.reduce((before, door) => {
    const rows = Array.from({ length: door.rowSpan - 1 }, (_, n) => door.row + n + 1);
    const gaps = rows.map((row) => gapId(door.column, row));
    return addCells(setSpan(before, [door.id], 1), gaps, door.size);
  }, draft);
}

/** Numbers the doors from 1, down the columns or across the rows. */
export function renumber(draft: Draft, direction: "columns" | "rows"): Draft {
  const order = draft.cells.toSorted(direction === "columns" ? byColumn : byRow);
  const noOf = new Map(order.map((cell, index) => [cell.id, index + 1]));
  return {
    ...draft,
    cells: draft.cells.map((cell) => ({ ...cell, no: noOf.get(cell.id) ?? cell.no })),
  };
}

/**
 * Assigns one lock board for each column, or boards with `channels` channels in the order of the
 * numbers.
 */
export function fillAddresses(draft: Draft, channels: number | null): Draft {
  const addressOf = new Map<number, string>();
  if (channels === null) {
    for (const [column, cells] of Map.groupBy(draft.cells, (cell) => cell.column)) {
      for (const [index, cell] of cells.toSorted(byColumn).entries()) {
        addressOf.set(cell.id, `${twoDigits(column)}-${twoDigits(index + 1)}`);
      }
    }
  } else {
    const order = draft.cells.toSorted((one, other) => one.no - other.no);
    for (const [index, cell] of order.entries()) {
      const board = Math.floor(index / channels) + 1;
      addressOf.set(cell.id, `${twoDigits(board)}-${twoDigits((index % channels) + 1)}`);
    }
  }
  return {
    ...draft,
    cells: draft.cells.map((cell) => ({
      ...cell,
      boardAddress: addressOf.get(cell.id) ?? cell.boardAddress,
    })),
  };
}

/** Removes doors outside of the new size. */
export function resize(draft: Draft, columns: number, rows: number): Draft {
  const size = {
    columns: Math.max(1, Math.min(columns, MAX_COLUMNS)),
    rows: Math.max(1, Math.min(rows, MAX_ROWS)),
  };
  const cells = draft.cells.filter(
    (cell) => cell.column <= size.columns && lastRow(cell) <= size.rows,
  );
  return { ...draft, ...size, cells };
}

/** All doors and gaps in the rectangle between two places. */
export function between(draft: Draft, from: number, to: number): number[] {
  const places = [...draft.cells, ...gapsOf(draft).map((gap) => ({ ...gap, rowSpan: 1 }))];
  const ends = places.filter(({ id }) => id === from || id === to);
  const left = Math.min(...ends.map(({ column }) => column));
  const right = Math.max(...ends.map(({ column }) => column));
  const top = Math.min(...ends.map(({ row }) => row));
  const bottom = Math.max(...ends.map(({ row, rowSpan }) => row + rowSpan - 1));
  return places
    .filter(
      ({ column, row, rowSpan }) =>
        column >= left && column <= right && row <= bottom && row + rowSpan - 1 >= top,
    )
    .map(({ id }) => id);
}

export interface History {
  past: readonly Draft[];
  present: Draft;
  future: readonly Draft[];
  /** Consecutive steps of the same kind, such as typing, are undone together. */
  kind: string | null;
}

const MOST_STEPS = 100;

export function startHistory(present: Draft): History {
  return { past: [], present, future: [], kind: null };
}

export function addStep(history: History, present: Draft, kind: string | null = null): History {
  if (present === history.present) return history;
  const isSame = kind !== null && kind === history.kind;
  const past = isSame ? history.past : [...history.past, history.present].slice(-MOST_STEPS);
  return { past, present, future: [], kind };
}

export function undo({ past, present, future }: History): History | null {
  const before = past.at(-1);
  if (!before) return null;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], kind: null };
}

export function redo({ past, present, future }: History): History | null {
  const [after, ...rest] = future;
  if (!after) return null;
  return { past: [...past, present], present: after, future: rest, kind: null };
}
