// Start of a stock audit: instructions, the reason for opening doors, an older draft to resume.
import Input from "antd/es/input";
import { useId, useState } from "react";
import { usePermission } from "../../../../kit/permission.ts";
import { Button } from "../../../../ui/display/button.tsx";
import { Examples } from "../../../../ui/display/examples.tsx";
import type { Draft } from "./stock-audit-draft.ts";
import "./stock-audit-intro.css";

const reasons = ["例行盘点", "交接班盘点", "核对异常格口"] as const;

export interface StockAuditIntroProps {
  draft: Draft | null;
  onStart: (draft: Draft) => void;
  onDrop: () => void;
}

export function StockAuditIntro({ draft: kept, onStart, onDrop }: StockAuditIntroProps) {
  const mayOpen = usePermission("command:open");
  const [draft, setDraft] = useState(kept);
  const [reason, setReason] = useState<string>(kept?.reason ?? reasons[0]);
  const id = useId();
  const recorded = [...(draft?.findings.values() ?? [])].filter((finding) => finding.found).length;
  const isReady = !mayOpen || reason.trim().length >= 2;
  return (
    <form
      className="audit-intro"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onStart({ findings: draft?.findings ?? new Map(), reason: reason.trim() });
      }}
    >
      <h3>开始盘点</h3>
      <ol>
        <li>逐格查看箱内，记录无物、有物或跳过；</li>
        <li>与系统记录、传感器不一致时，选择是否按现场更正；</li>
        <li>全部看完后汇总，一次提交。中途不影响设备使用。</li>
      </ol>
      {mayOpen && (
        <div className="audit-reason">
          <label htmlFor={id}>开门原因（盘点中每次开门都使用，记入操作日志）</label>
          <Input
            id={id}
            value={reason}
            minLength={2}
            maxLength={100}
            onChange={(event) => setReason(event.target.value)}
          />
          <Examples of={reasons} onChoose={setReason} />
        </div>
      )}
      {recorded > 0 && (
        <p className="audit-draft" role="status">
          上次盘点已记录 {recorded} 格，没有提交。
          <button
            type="button"
            className="ui-link"
            onClick={() => {
              onDrop();
              setDraft(null);
            }}
          >
            放弃，重新开始
          </button>
        </p>
      )}
      <Button type="primary" htmlType="submit" disabled={!isReady} autoFocus>
        {recorded > 0 ? "继续上次盘点" : "开始"}
      </Button>
    </form>
  );
}
