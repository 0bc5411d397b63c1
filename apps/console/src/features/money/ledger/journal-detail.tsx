// Detail view of one journal: wallet change and the balancing legs.
import {
  type JournalDetail as Detail,
  type Journal,
  ledgerContract,
} from "@cabinet/contract/money/ledger/ledger.contract.ts";
import { ledgerAccountText } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { OrderLink } from "../../../domain/order-link.tsx";
import { personText } from "../../../domain/person-text.ts";
import { formatDateTime, formatMoney, formatMoneyChange } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { JournalKindStatus } from "./journal-columns.tsx";
import { actorText, bizText } from "./journal-text.ts";
import "../../../ui/display/basics.css";
import "./journal.css";

export function JournalDetail({ journal }: { journal: Journal }) {
  const { principalAfterFen, bonusAfterFen } = journal;
  return (
    <>
      <DrawerSection title="交易">
        <Facts
          facts={[
            ["类型", <JournalKindStatus key="kind" of={journal.kind} />],
            ["时间", formatDateTime(journal.at)],
            ["用户", personText(journal)],
            ["租户", journal.tenantName],
            ["订单号", <OrderLink key="order" id={journal.orderId} side={journal.side} />],
            ["操作人", actorText(journal)],
            ["说明", journal.reason],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="钱包变动">
        <table className="journal-legs">
          <thead>
            <tr>
              <th scope="col">账户</th>
              <th scope="col">变动</th>
              <th scope="col">变动后</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>本金</td>
              <td>{formatMoneyChange(journal.principalFen)}</td>
              <td>{formatMoney(principalAfterFen)}</td>
            </tr>
            <tr>
              <td>赠金</td>
              <td>{formatMoneyChange(journal.bonusFen)}</td>
              <td>{formatMoney(bonusAfterFen)}</td>
            </tr>
          </tbody>
          <tfoot>
            <tr>
              <td>合计</td>
              <td>{formatMoneyChange(journal.principalFen + journal.bonusFen)}</td>
              <td>{formatMoney(principalAfterFen + bonusAfterFen)}</td>
            </tr>
          </tfoot>
        </table>
      </DrawerSection>
      <DrawerSection title="记账分录">
        <Legs id={journal.id} />
      </DrawerSection>
    </>
  );
}

function Legs({ id }: { id: number }) {
  const answer = useCall(ledgerContract.get, { params: { id } });
  const { data } = answer;
  if (!data) return <AnswerState answer={answer} />;
  return (
    <>
      <table className="journal-legs">
        <thead>
          <tr>
            <th scope="col">科目</th>
            <th scope="col">转出</th>
            <th scope="col">转入</th>
          </tr>
        </thead>
        <tbody>
          {data.legs.map(({ account, amountFen }) => (
            <tr key={account}>
              <td>{ledgerAccountText[account]}</td>
              <td>{amountFen < 0 && formatMoney(-amountFen)}</td>
              <td>{amountFen > 0 && formatMoney(amountFen)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>合计</td>
            <td>{formatMoney(sumOf(data, -1))}</td>
            <td>{formatMoney(sumOf(data, 1))}</td>
          </tr>
        </tfoot>
      </table>
      <Facts
        facts={[
          ["流水号", String(data.id)],
          ["业务编号", bizText(data)],
        ]}
      />
    </>
  );
}

function sumOf({ legs }: Detail, sign: 1 | -1): number {
  return legs.reduce((sum, { amountFen }) => sum + Math.max(0, sign * amountFen), 0);
}
