// Tables of a statement, on screen and on paper: lines of the month, receipts and income, days.
import type { Statement } from "@cabinet/contract/money/statement/statement.contract.ts";
import {
  type LineSum,
  receiptsOf,
  type StatementLineName,
  statementLineText,
  sumOfLines,
  totalFen,
} from "@cabinet/contract/money/statement/statement.rules.ts";
import {
  formatDateTime,
  formatMoney,
  formatMoneyChange,
  formatNumber,
} from "../../../kit/format.ts";
import { monthText, periodOf, subjectOf } from "./statement-text.ts";
import "./statement.css";

/** Columns of the days; the workbook has each line on its own. */
const dayColumns: readonly [title: string, ...lines: StatementLineName[]][] = [
  ["线下充值", "CASH_TOP_UP"],
  ["微信充值", "WECHAT_TOP_UP"],
  ["充值退款", "CASH_REFUND", "WECHAT_REFUND", "REFUND_RETURNED"],
  ["订单支付", "ORDER_PAYMENT"],
  ["订单退款", "ORDER_REFUND"],
  ["购买套餐", "PACKAGE_BUY"],
  ["人工调整", "ADJUSTMENT"],
];

export function StatementSheet({ statement }: { statement: Statement }) {
  const { opening, lines } = statement;
  return (
    <article className="statement">
      <header>
        <h2>月结单 · {monthText(statement.month)}</h2>
        <p>
          {statement.tenantName} · {subjectOf(statement)} · {periodOf(statement)}
        </p>
        {!opening && (
          <p>
            门店与单双面没有余额，只有订单的支付与退款；充值、套餐和人工调整在整个公司的月结单中。
          </p>
        )}
      </header>
      <Lines statement={statement} />
      <Receipts lines={lines} isOfCompany={opening !== null} />
      {statement.differences && <Differences of={statement.differences} />}
      <Days statement={statement} />
      <footer>生成于 {formatDateTime(statement.at)}，金额单位为元</footer>
    </article>
  );
}

/** A company has every line; a store or side those of its orders. */
const shownLines = ({ opening, lines }: Statement) =>
  opening ? lines : lines.filter(({ line }) => line.startsWith("ORDER"));

function Lines({ statement }: { statement: Statement }) {
  const { opening, closing, lines } = statement;
  const moved = sumOfLines(lines);
  const count = lines.reduce((all, line) => all + line.count, 0);
  return (
    <section>
      <h3>{opening ? "用户余额" : "订单收支"}</h3>
      <div className="statement-wide">
        <table aria-label={opening ? "用户余额" : "订单收支"}>
          <thead>
            <tr>
              {["项目", "笔数", "本金", "赠金", "合计"].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {opening && (
              <tr className="statement-balance">
                <th scope="row">期初余额</th>
                <td />
                <td>{formatMoney(opening.principalFen)}</td>
                <td>{formatMoney(opening.bonusFen)}</td>
                <td>{formatMoney(totalFen(opening))}</td>
              </tr>
            )}
            {shownLines(statement).map((line) => (
              <tr key={line.line}>
                <th scope="row">{statementLineText[line.line]}</th>
                <td>{formatNumber(line.count)}</td>
                <td>{formatMoneyChange(line.principalFen)}</td>
                <td>{formatMoneyChange(line.bonusFen)}</td>
                <td>{formatMoneyChange(totalFen(line))}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">变动合计</th>
              <td>{formatNumber(count)}</td>
              <td>{formatMoneyChange(moved.principalFen)}</td>
              <td>{formatMoneyChange(moved.bonusFen)}</td>
              <td>{formatMoneyChange(totalFen(moved))}</td>
            </tr>
            {closing && (
              <tr>
                <th scope="row">期末余额</th>
                <td />
                <td>{formatMoney(closing.principalFen)}</td>
                <td>{formatMoney(closing.bonusFen)}</td>
                <td>{formatMoney(totalFen(closing))}</td>
              </tr>
            )}
          </tfoot>
        </table>
      </div>
    </section>
  );
}

function Receipts({ lines, isOfCompany }: { lines: readonly LineSum[]; isOfCompany: boolean }) {
  const { cashFen, wechatFen, orderFen, packageFen, incomeBonusFen } = receiptsOf(lines);
  const ofCompany = [
    ["线下实收（充值减退款）", cashFen],
    ["微信实收（充值减退款）", wechatFen],
    ["套餐收入", packageFen],
  ] as const;
  const figures = [
    ["订单净收入（支付减退款）", orderFen],
    ["其中以赠金支付", incomeBonusFen],
  ] as const;
  return (
    <section>
      <h3>收款与收入</h3>
      <dl>
        {[...(isOfCompany ? ofCompany : []), ...figures].map(([title, fen]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{formatMoney(fen)}</dd>
          </div>
        ))}
      </dl>
      {isOfCompany && <p>微信支付手续费由微信从结算款中扣除，不经过本系统，以商户平台账单为准。</p>}
    </section>
  );
}

function Differences({ of }: { of: NonNullable<Statement["differences"]> }) {
  return (
    <section>
      <h3>对账差异</h3>
      <p>
        当月处理 {formatNumber(of.settled)} 项
        {of.credited > 0 &&
          `，其中补记入账 ${formatNumber(of.credited)} 项 ${formatMoney(of.creditedFen)}（已含在充值中）`}
        ；现在待处理 {formatNumber(of.open)} 项
      </p>
    </section>
  );
}

function Days({ statement }: { statement: Statement }) {
  const { days, opening, closing, lines } = statement;
  const columns = opening ? dayColumns : dayColumns.filter(([, line]) => line?.startsWith("ORDER"));
  const cellsOf = (all: readonly LineSum[]) =>
    columns.map(([title, ...names]) => (
      <td key={title}>{formatMoneyChange(totalFen(sumOfLines(all, ...names)))}</td>
    ));
  return (
    <section>
      <h3>每日</h3>
      <div className="statement-wide">
        <table aria-label="每日">
          <thead>
            <tr>
              <th scope="col">日期</th>
              {opening && <th scope="col">期初余额</th>}
              {columns.map(([title]) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
              <th scope="col">{opening ? "期末余额" : "合计"}</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.day}>
                <th scope="row">{day.day}</th>
                {opening && <td>{formatMoney(day.openingFen)}</td>}
                {cellsOf(day.lines)}
                <td>
                  {opening
                    ? formatMoney(day.closingFen)
                    : formatMoneyChange(totalFen(sumOfLines(day.lines)))}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">合计</th>
              {opening && <td>{formatMoney(totalFen(opening))}</td>}
              {cellsOf(lines)}
              <td>
                {closing
                  ? formatMoney(totalFen(closing))
                  : formatMoneyChange(totalFen(sumOfLines(lines)))}
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}
