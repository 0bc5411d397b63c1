// One compartment of the stock audit: records and sensor next to the finding, by buttons or number
// keys.

import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import {
  itemStateText,
  occupancyText,
  sizeText,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import Input from "antd/es/input";
import { useId } from "react";
import { doorsOf } from "../../../../domain/cabinet/open-door.rules.ts";
import { usePermission } from "../../../../kit/permission.ts";
import { Button } from "../../../../ui/display/button.tsx";
import { doorsText } from "../board.rules.ts";
import {
  beside,
  correctionText,
  differs,
  type Finding,
  type Findings,
  findingKeys,
  findingText,
  noFinding,
} from "./stock-audit.rules.ts";
import { StockAuditDoor } from "./stock-audit-door.tsx";
import { useAuditKeys } from "./use-audit-keys.ts";
import "./stock-audit-step.css";

export interface StockAuditStepProps {
  cabinet: CabinetDetail;
  cells: readonly Compartment[];
  cell: Compartment;
  reason: string;
  findings: Findings;
  /** Returns the findings after the change. */
  onChange: (no: number, part: Partial<Finding>) => Findings;
  onChoose: (no: number) => void;
  /** Continues with the next unrecorded compartment, or with the summary. */
  onNext: (findings: Findings, from: number) => void;
}

export function StockAuditStep(props: StockAuditStepProps) {
  const { cabinet, cells, cell, reason, findings, onChange, onChoose, onNext } = props;
  const finding = findings.get(cell.no) ?? noFinding;
  const isDifferent = differs(cell, finding);
  const index = cells.indexOf(cell);
  const noteId = useId();
  const mayOpen = usePermission("command:open");
  const leftOpen = cells.filter(
    (other) => other.no !== cell.no && doorsOf(other).some((door) => door.state === "OPEN"),
  );

  /** A contradiction waits for a decision; any other finding continues by itself. */
  const find = (found: Finding["found"]) => {
    const after = onChange(cell.no, { found });
    if (!differs(cell, after.get(cell.no))) onNext(after, cell.no);
  };
  const toggleCorrect = () => onChange(cell.no, { correct: !finding.correct });

  useAuditKeys((key) => {
    const found = findingKeys[key];
    if (found) find(found);
    else if (key === "c" && isDifferent) toggleCorrect();
    else if (key === "Enter") onNext(findings, cell.no);
    else if (key === "ArrowLeft" || key === "ArrowUp") onChoose(beside(cells, cell.no, -1));
    else if (key === "ArrowRight" || key === "ArrowDown") onChoose(beside(cells, cell.no, 1));
    else return false;
    return true;
  });

  return (
    <div className="audit-step">
      <header>
        <h3>
          {cell.no} 号格口（{sizeText[cell.size]}）
        </h3>
        <span>
          第 {index + 1} / {cells.length} 格
        </span>
      </header>
      <StockAuditDoor key={cell.no} cabinet={cabinet} cell={cell} reason={reason} />
      <dl className="audit-compare" data-differs={isDifferent}>
        <div>
          <dt>系统记录</dt>
          <dd>{occupancyText[cell.occupancy]}</dd>
        </div>
        <div>
          <dt>传感器</dt>
          <dd>{itemStateText[cell.item]}</dd>
        </div>
        <div>
          <dt>现场</dt>
          <dd>{finding.found ? findingText[finding.found] : "—"}</dd>
        </div>
      </dl>
      <fieldset className="audit-findings" aria-label={`${cell.no} 号格口现场情况`}>
        {Object.entries(findingKeys).map(([key, found]) => (
          <button
            key={key}
            type="button"
            data-found={found}
            aria-pressed={finding.found === found}
            aria-keyshortcuts={key}
            onClick={() => find(found)}
          >
            {findingText[found]} <kbd>{key}</kbd>
          </button>
        ))}
      </fieldset>
      {isDifferent && finding.found && (
        <div className="audit-differs" role="status">
          <b>现场与系统不一致</b>
          <label>
            <input type="checkbox" checked={finding.correct} onChange={toggleCorrect} />
            按现场更正 <kbd>C</kbd>
          </label>
          <p>
            {finding.correct
              ? `提交后：${correctionText(cell, finding.found)}`
              : "不更正：系统记录不变，登记一条“疑似有物”故障待处理。"}
          </p>
        </div>
      )}
      <div className="audit-note">
        <label htmlFor={noteId}>备注</label>
        <Input
          id={noteId}
          value={finding.note}
          maxLength={200}
          placeholder="可不填，如：箱内有水渍"
          onChange={(event) => onChange(cell.no, { note: event.target.value })}
          onPressEnter={() => onNext(findings, cell.no)}
        />
      </div>
      {leftOpen.length > 0 && (
        <p className="audit-open-doors" role="status">
          还开着的门：{leftOpen.map((other) => `${other.no} 号`).join("、")}，请关好
        </p>
      )}
      <footer>
        <Button disabled={index === 0} onClick={() => onChoose(beside(cells, cell.no, -1))}>
          上一格
        </Button>
        <Button type="primary" onClick={() => onNext(findings, cell.no)}>
          下一格未记录
        </Button>
      </footer>
      <p className="audit-keys">
        1 无物 · 2 有物 · 3 跳过 · 回车 下一格 · 方向键 前后
        {mayOpen && (cell.doorBack === null ? " · O 开门" : " · O 开正面 · B 开背面")}
      </p>
      <p className="visually-hidden" aria-live="polite">
        {cell.no} 号格口，系统记录{occupancyText[cell.occupancy]}，传感器{itemStateText[cell.item]}
        ，{doorsText(cell)}
      </p>
    </div>
  );
}
