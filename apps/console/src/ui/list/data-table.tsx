// List table: sticky header, rows, cards on a phone. Plain HTML: antd's Table would add 170 kB and
// is slow to render.
import {
  type CSSProperties,
  type Key,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { type Column, type ColumnWidth, cellValue, fitWidths } from "./columns.ts";
import type { Sort } from "./list-state.ts";
import { type RowAction, RowActions } from "./row-actions.tsx";
import "./data-table.css";
import "../display/basics.css";

/** Widths that the user has given columns; the edge of each header changes its width. */
export interface Resizing {
  widths: readonly ColumnWidth[];
  /** Null: the default width. */
  onResize: (key: string, width: number | null) => void;
}

interface Selection<Row> {
  selected: ReadonlyMap<Key, Row>;
  onSelect: (selected: ReadonlyMap<Key, Row>) => void;
}

export interface DataTableProps<Row> {
  /** Accessible name: what the table lists. */
  label: string;
  columns: readonly Column<Row, string>[];
  /** Undefined until the first page has loaded. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => Key;
  /** Number of placeholder rows until then. */
  expectedRows: number;
  /** The rows are of other filters, or another page, until the ones that were asked for are there. */
  isOther?: boolean;
  sort?: Sort | null;
  onSort?: (sort: Sort | null) => void;
  /** Opens the record that the first column names. */
  onOpen?: ((row: Row) => void) | undefined;
  selection?: Selection<Row> | undefined;
  actions?: RowActionsColumn<Row> | undefined;
  resizing?: Resizing | undefined;
  /** Below the rows. */
  foot?: ReactNode;
}

export interface RowActionsColumn<Row> {
  /** In pixels. */
  width: number;
  /** Accessible name of the row. */
  of: (row: Row) => string;
  list: (row: Row) => readonly RowAction[];
  visibleCount?: number | ((row: Row) => number);
}

const SELECTION_WIDTH = 40;
/** Longer than between two events of one scroll, also on a slow device: to mark takes longer than to scroll. */
const SCROLL_END_MS = 400;

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, selection, actions, resizing, isOther = false } = props;
  // Kept while only widths change: when the table is first measured, and while an edge is dragged.
  const body = useMemo(() => bodyOf(props), [props]);
  const [dragged, setDragged] = useState<ColumnWidth | null>(null);
  const [edgeStop, setEdgeStop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const boxWidth = useWidth(box, label);
  const markScrolling = useMarkScrolling(box);
  const fixedWidth = (actions?.width ?? 0) + (selection ? SELECTION_WIDTH : 0);
  const own = new Map(resizing?.widths.map(({ key, width }) => [key, width]));
  if (dragged) own.set(dragged.key, dragged.width);
  const asked = columns.map(({ key, width }) => own.get(key) ?? width);
  const isFixed = (index: number) => {
    const column = columns[index];
    return column !== undefined && (own.has(column.key) || column.keepsWidth === true);
  };
  const isLeast = (index: number) => columns[index]?.keepsEnd === true;
  const room = (boxWidth ?? 0) - fixedWidth;
  const widths = boxWidth === null ? asked : fitWidths(asked, room, isFixed, isLeast);
  const width = widths.reduce((sum, each) => sum + each, fixedWidth);
  const isWider = boxWidth !== null && width > boxWidth;
  // A scrollable area must be reachable by keyboard: through a focusable child, or with its own
  // tabIndex.
  const holdsFocus = Boolean(props.onOpen || actions || selection);
  return (
    <div
      ref={box}
      className="ui-table-box"
      data-wider={isWider}
      data-other={isOther}
      onScroll={markScrolling}
      style={cssWidth(width)}
      {...(!holdsFocus && { tabIndex: 0, role: "region", "aria-label": label })}
    >
      <table className="ui-table" aria-label={label} aria-busy={!rows || isOther}>
        <colgroup>
          {selection && <col style={{ width: SELECTION_WIDTH }} />}
          {columns.map((column, index) => (
            <col key={column.key} style={{ width: widths[index] }} />
          ))}
          {actions && <col className="ui-table-actions-col" style={{ width: actions.width }} />}
        </colgroup>
        <thead>
          <tr>
            {selection && (
              <th className="ui-table-check">
                <PageCheckbox {...props} selection={selection} />
              </th>
            )}
            {columns.map((column, index) => (
              <HeaderCell key={column.key} column={column} isName={index === 0} {...props}>
                {resizing && (
                  <ColumnEdge
                    title={column.title}
                    width={widths[index] ?? column.width}
                    isStop={index === Math.min(edgeStop, columns.length - 1)}
                    onFocus={() => setEdgeStop(index)}
                    onDrag={(width) => setDragged({ key: column.key, width })}
                    onWidth={(width) => {
                      setDragged(null);
                      resizing.onResize(column.key, width);
                    }}
                  />
                )}
              </HeaderCell>
            ))}
            {actions && <th className="ui-table-actions">操作</th>}
          </tr>
        </thead>
        <tbody>{body}</tbody>
        {rows && props.foot}
      </table>
    </div>
  );
}

function bodyOf<Row>(props: DataTableProps<Row>): ReactNode {
  if (props.rows) {
    return props.rows.map((row) => <BodyRow key={props.rowKey(row)} {...props} row={row} />);
  }
  return Array.from({ length: props.expectedRows }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a place has no other identity
    <PlaceRow key={index} {...props} />
  ));
}

/** Last width of each table by its name, and of any table: most fill the page. */
const lastWidths = new Map<string, number>();
let lastWidth: number | null = null;

/** Width of a table in a card that fills the page, which has the same padding; null before the first page. */
function expectedWidth(): number | null {
  const content = document.getElementById("content");
  if (!content) return null;
  const borders = 2;
  return (
    content.clientWidth - 4 * Number.parseFloat(getComputedStyle(content).paddingLeft) - borders
  );
}

/**
 * Observed clientWidth, at first the expected one or that of the last time, so that the rows are
 * drawn once; null before the first layout of any page.
 */
function useWidth(element: RefObject<HTMLElement | null>, name: string): number | null {
  const [width, setWidth] = useState(() => {
    lastWidth ??= expectedWidth();
    return lastWidths.get(name) ?? lastWidth;
  });
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => {
      lastWidth = current.clientWidth;
      lastWidths.set(name, lastWidth);
      setWidth(lastWidth);
    };
    // At once only where nothing is known: that lays the page out one more time. The observer reports before painting.
    if (lastWidth === null) measure();
    const observer = new ResizeObserver(() => flushSync(measure));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, name]);
  return width;
}

/** Marks the element while it is scrolled, without drawing it again; some Safaris have no `scrollend`. */
function useMarkScrolling(element: RefObject<HTMLElement | null>): () => void {
  const end = useRef<ReturnType<typeof setTimeout>>(undefined);
  return () => {
    const { current } = element;
    if (!current) return;
    current.dataset.scrolling ??= "";
    clearTimeout(end.current);
    end.current = setTimeout(() => delete current.dataset.scrolling, SCROLL_END_MS);
  };
}

/** Set as a CSS variable so that the phone's card layout can ignore it. */
function cssWidth(width: number): CSSProperties {
  return { "--ui-table-width": `${width}px` } as CSSProperties;
}

/** Characters at the end of a number that stay visible. */
const END = 6;

interface CellTextProps {
  children: string | number | null | undefined;
  /** Too long, the text loses its middle instead of its end. */
  keepsEnd?: boolean | undefined;
}

/** Cell text with the full text as a tooltip. */
export function CellText({ children, keepsEnd }: CellTextProps) {
  if (children === null || children === undefined || children === "") {
    return <span className="ui-cell-none">—</span>;
  }
  const text = String(children);
  if (keepsEnd) {
    return (
      <span className="ui-cell-ends" title={text}>
        <span>{text.slice(0, -END)}</span>
        <span>{text.slice(-END)}</span>
      </span>
    );
  }
  return (
    <span className="ui-cell-text" title={text}>
      {children}
    </span>
  );
}

/** Cell of two lines, which are one on a card; its column is half as wide. */
export function CellLines({ first, second }: { first: string; second: string | undefined }) {
  return (
    <span className="ui-cell-lines" title={[first, second].filter(Boolean).join(" ")}>
      <span>{first}</span> <span>{second}</span>
    </span>
  );
}

interface HeaderCellProps<Row> extends Pick<DataTableProps<Row>, "sort" | "onSort"> {
  column: Column<Row, string>;
  isName: boolean;
  children: ReactNode;
}

function HeaderCell<Row>({ column, isName, sort, onSort, children }: HeaderCellProps<Row>) {
  const by = column.sort;
  const className = isName ? "ui-table-name" : undefined;
  if (!by || !onSort) {
    return (
      <th className={className} data-align={column.align} title={column.title}>
        {column.title}
        {children}
      </th>
    );
  }
  const order = sort?.by === by ? sort.order : null;
  const next = order === null ? ({ by, order: "asc" } as const) : { by, order: "desc" as const };
  return (
    <th
      className={className}
      data-align={column.align}
      aria-sort={order === null ? "none" : order === "asc" ? "ascending" : "descending"}
    >
      <button
        type="button"
        className="ui-table-sort"
        data-order={order}
        onClick={() => onSort(order === "desc" ? null : next)}
      >
        {column.title}
      </button>
      {children}
    </th>
  );
}

const STEP_PX = 16;

interface ColumnEdgeProps {
  title: string;
  width: number;
  /** The one edge that Tab reaches: a stop at each column would hide the rows from keyboards. */
  isStop: boolean;
  onFocus: () => void;
  onDrag: (width: number) => void;
  /** Null: the default width. */
  onWidth: (width: number | null) => void;
}

/** Focuses the edge of the column `step` to the right. */
function focusEdge(from: Element, step: 1 | -1): void {
  const edges = [...(from.closest("tr")?.querySelectorAll<HTMLElement>(".ui-table-edge") ?? [])];
  edges[edges.indexOf(from as HTMLElement) + step]?.focus();
}

/**
 * Edge of a header: drag it or use the left and right keys; up and down go to the other columns; a double click or
 * Delete restores the default.
 */
const EDGE_STEPS = { ArrowUp: -1, ArrowDown: 1 } as const;

function ColumnEdge({ title, width, isStop, onFocus, onDrag, onWidth }: ColumnEdgeProps) {
  const start = useRef<{ x: number; width: number } | null>(null);
  const widthAt = (x: number) => {
    const from = start.current;
    return from && Math.max(STEP_PX * 3, from.width + x - from.x);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be moved.
    <span
      role="separator"
      tabIndex={isStop ? 0 : -1}
      className="ui-table-edge"
      onFocus={onFocus}
      aria-orientation="vertical"
      // A name would become part of the column's name.
      aria-description={`列宽：${title}，左右键调整，上下键换列`}
      aria-valuenow={width}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        const moved = widthAt(event.clientX);
        if (moved !== null) onDrag(moved);
      }}
      onPointerUp={(event) => {
        const moved = widthAt(event.clientX);
        const isMoved = start.current?.x !== event.clientX;
        start.current = null;
        if (moved !== null && isMoved) onWidth(moved);
      }}
      onDoubleClick={() => onWidth(null)}
      onKeyDown={(event) => {
        const { key, currentTarget } = event;
        if (key === "ArrowLeft") onWidth(width - STEP_PX);
        else if (key === "ArrowRight") onWidth(width + STEP_PX);
        else if (key === "Delete") onWidth(null);
        else if (key === "ArrowUp" || key === "ArrowDown") {
          event.preventDefault();
          focusEdge(currentTarget, EDGE_STEPS[key]);
        }
      }}
    />
  );
}

/** Selects or deselects all rows of this page; rows selected on other pages stay selected. */
function PageCheckbox<Row>(props: DataTableProps<Row> & { selection: Selection<Row> }) {
  const { rows = [], rowKey, selection } = props;
  const box = useRef<HTMLInputElement>(null);
  const chosen = rows.filter((row) => selection.selected.has(rowKey(row))).length;
  const isAll = rows.length > 0 && chosen === rows.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen > 0 && !isAll;
  }, [chosen, isAll]);
  const toggle = () => {
    const selected = new Map(selection.selected);
    for (const row of rows) {
      if (isAll) selected.delete(rowKey(row));
      else selected.set(rowKey(row), row);
    }
    selection.onSelect(selected);
  };
  return (
    <input
      ref={box}
      type="checkbox"
      className="ui-check"
      aria-label="选择本页全部"
      checked={isAll}
      disabled={rows.length === 0}
      onChange={toggle}
    />
  );
}

function BodyRow<Row>(props: DataTableProps<Row> & { row: Row }) {
  const { columns, row, rowKey, onOpen, selection, actions } = props;
  const key = rowKey(row);
  const isSelected = selection?.selected.has(key) ?? false;
  const select = (isChosen: boolean) => {
    const selected = new Map(selection?.selected);
    if (isChosen) selected.set(key, row);
    else selected.delete(key);
    selection?.onSelect(selected);
  };
  return (
    <tr data-selected={isSelected || undefined}>
      {selection && (
        <td className="ui-table-check">
          <input
            type="checkbox"
            className="ui-check"
            aria-label="选择"
            checked={isSelected}
            onChange={(event) => select(event.target.checked)}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.key}
          className={index === 0 ? "ui-table-name" : undefined}
          data-align={column.align}
          data-label={column.title}
          data-secondary={column.isSecondary}
          data-card={column.onCard}
        >
          {index === 0 && onOpen ? (
            <button type="button" className="ui-link" onClick={() => onOpen(row)}>
              {cellOf(column, row)}
            </button>
          ) : (
            cellOf(column, row)
          )}
        </td>
      ))}
      {actions && (
        <td className="ui-table-actions">
          <RowActions
            of={actions.of(row)}
            actions={actions.list(row)}
            visibleCount={
              typeof actions.visibleCount === "function"
                ? actions.visibleCount(row)
                : actions.visibleCount
            }
          />
        </td>
      )}
    </tr>
  );
}

function cellOf<Row>(column: Column<Row, string>, row: Row): ReactNode {
  if (column.render) return column.render(row);
  return <CellText keepsEnd={column.keepsEnd}>{cellValue(column, row)}</CellText>;
}

function PlaceRow<Row>({ columns, selection, actions }: DataTableProps<Row>) {
  return (
    <tr className="ui-table-place">
      {selection && <td className="ui-table-check" />}
      {columns.map((column) => (
        <td key={column.key}>
          <span className="ui-skeleton" />
        </td>
      ))}
      {actions && (
        <td className="ui-table-actions">
          <span className="ui-skeleton" />
        </td>
      )}
    </tr>
  );
}
