// Actions on the selected doors and gaps.
import { MAX_NO } from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import { SIZES, type Size, sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import { useId } from "react";
import { Button } from "../../../ui/display/button.tsx";
import {
  addCells,
  type Draft,
  type DraftCell,
  editCells,
  gapsOf,
  mergeCells,
  removeCells,
  setSpan,
  splitCells,
} from "./layout-draft.rules.ts";
import { sizesText } from "./layout-drawing.tsx";

interface LayoutPanelProps {
  draft: Draft;
  doors: readonly number[];
  gaps: readonly number[];
  onDraft: (draft: Draft, kind?: string) => void;
}

export function LayoutPanel({ draft, doors, gaps, onDraft }: LayoutPanelProps) {
  const chosen = draft.cells.filter((cell) => doors.includes(cell.id));
  const merged = mergeCells(draft, [...doors, ...gaps]);
  const [only] = chosen;
  return (
    <aside className="layout-panel" aria-label="所选格口">
      <h4>{titleOf(chosen, gaps)}</h4>
      {chosen.length === 0 && gaps.length === 0 && <Overview draft={draft} />}
      {chosen.length === 1 && only && <OneDoor draft={draft} door={only} onDraft={onDraft} />}
      {chosen.length > 0 && <Doors draft={draft} doors={chosen} onDraft={onDraft} />}
      {gaps.length > 0 && (
        <SizeChoice
          label={chosen.length > 0 ? `把 ${gaps.length} 个空位设为格口` : "设为格口"}
          size={null}
          onSize={(size) => onDraft(addCells(draft, gaps, size))}
        />
      )}
      {merged && <Button onClick={() => onDraft(merged)}>合并为一个高格口</Button>}
      {chosen.some((cell) => cell.rowSpan > 1) && (
        <Button onClick={() => onDraft(splitCells(draft, doors))}>拆成单行格口</Button>
      )}
      {chosen.length > 0 && (
        <Button onClick={() => onDraft(removeCells(draft, doors))}>
          {chosen.length > 1 ? `将 ${chosen.length} 个格口改为空位` : "改为空位"}
        </Button>
      )}
    </aside>
  );
}

function titleOf(doors: readonly DraftCell[], gaps: readonly number[]): string {
  const [only] = doors;
  if (doors.length === 1 && only && gaps.length === 0) return `${only.no} 号格口`;
  const parts = [];
  if (doors.length > 0) parts.push(`${doors.length} 个格口`);
  if (gaps.length > 0) parts.push(`${gaps.length} 个空位`);
  return parts.length > 0 ? `已选 ${parts.join("、")}` : "整柜";
}

function Overview({ draft }: { draft: Draft }) {
  const count = { S: 0, M: 0, L: 0, XL: 0 };
  for (const cell of draft.cells) count[cell.size]++;
  const gaps = gapsOf(draft).length;
  return (
    <p className="layout-hint">
      共 {draft.cells.length} 个格口{draft.cells.length > 0 && `：${sizesText(count)}`}
      {gaps > 0 && `；空位 ${gaps} 行`}。
      <br />
      点选或拖选格口后在这里修改。屏幕、主控所在的位置请留作空位。
    </p>
  );
}

interface DoorsProps {
  draft: Draft;
  doors: readonly DraftCell[];
  onDraft: LayoutPanelProps["onDraft"];
}

function Doors({ draft, doors, onDraft }: DoorsProps) {
  const id = useId();
  const ids = doors.map((cell) => cell.id);
  const sizes = new Set(doors.map((cell) => cell.size));
  const spans = new Set(doors.map((cell) => cell.rowSpan));
  const [size] = sizes;
  const [span] = spans;
  return (
    <>
      <SizeChoice
        label="大小"
        size={sizes.size === 1 && size ? size : null}
        onSize={(chosen) => onDraft(editCells(draft, ids, { size: chosen }))}
      />
      <div className="layout-field">
        <label htmlFor={id}>高度（行）</label>
        <InputNumber
          id={id}
          min={1}
          max={draft.rows}
          precision={0}
          placeholder="不一"
          value={spans.size === 1 ? (span ?? null) : null}
          onChange={(value) => value && onDraft(setSpan(draft, ids, value), `span-${ids}`)}
        />
      </div>
    </>
  );
}

function OneDoor({ draft, door, onDraft }: Omit<DoorsProps, "doors"> & { door: DraftCell }) {
  const id = useId();
  return (
    <>
      <div className="layout-field">
        <label htmlFor={`${id}-no`}>格口号</label>
        <InputNumber
          id={`${id}-no`}
          min={1}
          max={MAX_NO}
          precision={0}
          value={door.no}
          onChange={(no) => no && onDraft(editCells(draft, [door.id], { no }), `no-${door.id}`)}
        />
      </div>
      <div className="layout-field">
        <label htmlFor={`${id}-address`}>驱动板地址</label>
        <Input
          id={`${id}-address`}
          maxLength={20}
          placeholder="如：01-05"
          value={door.boardAddress}
          onChange={(event) =>
            onDraft(
              editCells(draft, [door.id], { boardAddress: event.target.value.trim() }),
              `address-${door.id}`,
            )
          }
        />
      </div>
    </>
  );
}

interface SizeChoiceProps {
  label: string;
  /** Null: several sizes, or none yet. */
  size: Size | null;
  onSize: (size: Size) => void;
}

function SizeChoice({ label, size, onSize }: SizeChoiceProps) {
  return (
    <fieldset className="layout-sizes">
      <legend>{label}</legend>
      {SIZES.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === size}
          onClick={() => onSize(choice)}
        >
          {sizeText[choice]} {choice}
        </button>
      ))}
    </fieldset>
  );
}
