// Progress of the stock audit.
import { Button } from "../../../../ui/display/button.tsx";
import type { Tally } from "./stock-audit.rules.ts";
import "../../../../ui/display/bar.css";
import "./stock-audit-bar.css";

export interface StockAuditBarProps {
  tally: Tally;
  /** Absent while there is nothing to summarize. */
  onSummary: (() => void) | undefined;
  onLeave: () => void;
}

export function StockAuditBar({ tally, onSummary, onLeave }: StockAuditBarProps) {
  const { total, recorded, skipped, contradictory, corrected } = tally;
  return (
    <section className="audit-bar" aria-label="盘点进度">
      <b>盘点</b>
      <progress className="ui-bar" value={recorded} max={total} aria-label="已记录的格口" />
      <span className="audit-counts">
        <span>
          已记录 <b>{recorded}</b> / {total}
        </span>
        <span data-tone={contradictory.length > 0 ? "differs" : undefined}>
          不符 <b>{contradictory.length}</b>
        </span>
        <span>
          更正 <b>{corrected}</b>
        </span>
        <span>
          跳过 <b>{skipped}</b>
        </span>
      </span>
      <span className="audit-bar-buttons">
        {onSummary && (
          <Button type="primary" disabled={recorded === 0} onClick={onSummary}>
            汇总并提交
          </Button>
        )}
        <Button onClick={onLeave}>退出盘点</Button>
      </span>
    </section>
  );
}
