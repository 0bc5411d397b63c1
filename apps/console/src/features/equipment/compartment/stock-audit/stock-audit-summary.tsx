// Summary of a stock audit: differences and corrections, submission as a whole, the result.
import {
  type Compartment,
  compartmentContract,
} from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { itemStateText, occupancyText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import Alert from "antd/es/alert";
import { doorsOf } from "../../../../domain/cabinet/open-door.rules.ts";
import { messageOf } from "../../../../kit/feedback.ts";
import { Link, pathTo } from "../../../../kit/paths.ts";
import { usePermission } from "../../../../kit/permission.ts";
import { useWrite } from "../../../../kit/query.ts";
import { Button } from "../../../../ui/display/button.tsx";
import { type DescriptionItem, Facts } from "../../../../ui/display/detail-drawer.tsx";
import { type Findings, findingText, handedIn, noFinding, tallyOf } from "./stock-audit.rules.ts";
import "../../../../ui/display/basics.css";
import "./stock-audit-summary.css";

export interface StockAuditSummaryProps {
  cabinetId: number;
  cells: readonly Compartment[];
  findings: Findings;
  onCorrect: (no: number, correct: boolean) => void;
  onBack: () => void;
  onHandedIn: () => void;
  onLeave: () => void;
}

export function StockAuditSummary(props: StockAuditSummaryProps) {
  const { cabinetId, cells, findings, onCorrect, onBack, onHandedIn, onLeave } = props;
  const maySee = usePermission("malfunction:read");
  const save = useWrite(compartmentContract.saveStockAudit);
  const tally = tallyOf(cells, findings);
  const stillOpen = cells.filter((cell) => doorsOf(cell).some((door) => door.state === "OPEN"));

  if (save.data) {
    const { audited, contradictory, corrected } = save.data;
    return (
      <div className="audit-summary" role="status">
        <h3>盘点已提交</h3>
        <Facts
          facts={[
            ["已盘", audited],
            ["不符", contradictory],
            ["已更正", corrected],
          ]}
        />
        {contradictory > corrected && (
          <p>
            未更正的 {contradictory - corrected} 格已登记“疑似有物”故障，请到
            {maySee ? (
              <Link
                className="ui-link"
                to={pathTo("/malfunction/index", { state: "ALL", cabinetId })}
              >
                故障处理
              </Link>
            ) : (
              "故障处理"
            )}
            跟进。
          </p>
        )}
        <Button type="primary" autoFocus onClick={onLeave}>
          完成
        </Button>
      </div>
    );
  }

  const left = tally.total - tally.recorded;
  const facts: DescriptionItem[] = [
    ["已看", tally.recorded - tally.skipped],
    ["一致", tally.recorded - tally.skipped - tally.contradictory.length],
    ["不符", tally.contradictory.length],
    ["其中更正", tally.corrected],
    ["跳过", tally.skipped],
    ["未记录", left],
  ];
  return (
    <div className="audit-summary">
      <h3>盘点汇总</h3>
      <Facts facts={facts} />
      {left > 0 && <p className="audit-left">还有 {left} 格没有记录，不会包含在这次盘点中。</p>}
      {stillOpen.length > 0 && (
        <p className="audit-open-doors">
          还开着的门：{stillOpen.map((cell) => `${cell.no} 号`).join("、")}，请关好
        </p>
      )}
      {tally.contradictory.length > 0 && (
        <ul className="audit-contradictions">
          {tally.contradictory.map((cell) => {
            const finding = findings.get(cell.no) ?? noFinding;
            return (
              <li key={cell.no}>
                <b>{cell.no} 号</b>
                <span>
                  记录{occupancyText[cell.occupancy]} · 传感器{itemStateText[cell.item]} · 现场
                  {finding.found && findingText[finding.found]}
                </span>
                <label>
                  <input
                    type="checkbox"
                    checked={finding.correct}
                    onChange={(event) => onCorrect(cell.no, event.target.checked)}
                  />
                  更正
                </label>
              </li>
            );
          })}
        </ul>
      )}
      {save.error && (
        <Alert type="error" showIcon role="alert" title={`提交失败：${messageOf(save.error)}`} />
      )}
      <footer>
        <Button disabled={save.isPending} onClick={onBack}>
          返回修改
        </Button>
        <Button
          type="primary"
          loading={save.isPending}
          disabled={tally.recorded === 0}
          onClick={() =>
            save.mutate(
              { params: { id: cabinetId }, body: { findings: handedIn(cells, findings) } },
              { onSuccess: onHandedIn },
            )
          }
        >
          提交盘点结果
        </Button>
      </footer>
    </div>
  );
}
