// 盘点, guided compartment by compartment: compares records, sensor and finding; submits everything
// at once.
import { useState } from "react";
import { confirm } from "../../../../kit/feedback.ts";
import { useLeaveGuard } from "../../../../ui/form/use-leave-guard.ts";
import { CabinetFrame, type CabinetFrameProps } from "../cabinet-frame.tsx";
import {
  type Findings,
  marksOf,
  nextUnrecorded,
  tallyOf,
  withFinding,
} from "./stock-audit.rules.ts";
import { StockAuditBar } from "./stock-audit-bar.tsx";
import { dropDraft, keepDraft, readDraft } from "./stock-audit-draft.ts";
import { StockAuditIntro } from "./stock-audit-intro.tsx";
import { StockAuditStep } from "./stock-audit-step.tsx";
import { StockAuditSummary } from "./stock-audit-summary.tsx";
import "./stock-audit.css";

export interface StockAuditProps extends Omit<CabinetFrameProps, "filter" | "marks" | "onOpen"> {
  onLeave: () => void;
}

type Phase = "intro" | "count" | "summary";

export function StockAudit({ onLeave, ...frame }: StockAuditProps) {
  const { cabinet, cells, chosenNo, onChoose } = frame;
  const [phase, setPhase] = useState<Phase>("intro");
  const [reason, setReason] = useState("");
  const [findings, setFindings] = useState<Findings>(new Map());
  const [isHandedIn, setIsHandedIn] = useState(false);
  const current = cells.find((cell) => cell.no === chosenNo) ?? cells[0];
  const tally = tallyOf(cells, findings);
  const isDirty = findings.size > 0 && !isHandedIn;

  const mayLeave = () =>
    confirm({
      title: "离开盘点？",
      content: `已记录 ${tally.recorded} 格，未提交。记录保留在本页签，再次进入盘点可以继续。`,
      ok: "离开",
      cancel: "继续盘点",
      isDanger: true,
    });
  useLeaveGuard(isDirty, mayLeave);

  const change = (after: Findings) => {
    setFindings(after);
    keepDraft(cabinet.id, { findings: after, reason });
  };
  const start = (draft: { findings: Findings; reason: string }) => {
    setReason(draft.reason);
    setFindings(draft.findings);
    setPhase("count");
    if (!current) return;
    const isOpen = !draft.findings.get(current.no)?.found;
    onChoose(
      isOpen ? current.no : (nextUnrecorded(cells, draft.findings, current.no) ?? current.no),
    );
  };
  const goOn = (after: Findings, from: number) => {
    const next = nextUnrecorded(cells, after, from);
    if (next === null) setPhase("summary");
    else onChoose(next);
  };

  return (
    <>
      {!isHandedIn && (
        <StockAuditBar
          tally={tally}
          onSummary={phase === "count" ? () => setPhase("summary") : undefined}
          onLeave={async () => {
            if (!isDirty || (await mayLeave())) onLeave();
          }}
        />
      )}
      <div className="board-body board-body-audit">
        <CabinetFrame
          {...frame}
          chosenNo={phase === "count" ? (current?.no ?? null) : null}
          filter={null}
          marks={marksOf(cells, findings)}
          onChoose={(no) => {
            onChoose(no);
            if (phase === "summary" && !isHandedIn) setPhase("count");
          }}
        />
        <aside className="board-aside" aria-label="盘点">
          {phase === "intro" && (
            <StockAuditIntro
              draft={readDraft(cabinet.id)}
              onStart={start}
              onDrop={() => dropDraft(cabinet.id)}
            />
          )}
          {phase === "count" && current && (
            <StockAuditStep
              cabinet={cabinet}
              cells={cells}
              cell={current}
              reason={reason}
              findings={findings}
              onChange={(no, part) => {
                const after = withFinding(findings, no, part);
                change(after);
                return after;
              }}
              onChoose={onChoose}
              onNext={goOn}
            />
          )}
          {phase === "summary" && (
            <StockAuditSummary
              cabinetId={cabinet.id}
              cells={cells}
              findings={findings}
              onCorrect={(no, correct) => change(withFinding(findings, no, { correct }))}
              onBack={() => setPhase("count")}
              onHandedIn={() => {
                setIsHandedIn(true);
                dropDraft(cabinet.id);
              }}
              onLeave={onLeave}
            />
          )}
        </aside>
      </div>
    </>
  );
}
