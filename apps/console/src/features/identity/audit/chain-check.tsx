// 校验: recomputes the hash chain of the audit log by tenant and reports the first break.
import {
  type AuditChain,
  auditContract,
  type ChainCheck,
} from "@cabinet/contract/identity/audit/audit.contract.ts";
import { chainFaultText } from "@cabinet/contract/identity/audit/audit.rules.ts";
import Alert from "antd/es/alert";
import Progress from "antd/es/progress";
import { useEffect, useRef, useState } from "react";
import { call } from "../../../kit/api.ts";
import { messageOf } from "../../../kit/feedback.ts";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { Button } from "../../../ui/display/button.tsx";
import { Modal } from "../../../ui/display/overlays.tsx";
import { Status } from "../../../ui/display/status.tsx";
import "./audit.css";

interface Checked {
  chain: AuditChain;
  check: ChainCheck;
}

interface CheckProgress {
  /** Number of entries in all chains, and of those already recomputed. */
  total: number;
  done: number;
  current: string;
  checked: Checked[];
  isOver: boolean;
  failure: string | null;
}

const begun: CheckProgress = {
  total: 0,
  done: 0,
  current: "",
  checked: [],
  isOver: false,
  failure: null,
};

/** Checks one chain in stretches, to its end or first fault. */
async function checkWhole(
  { tenantId }: AuditChain,
  onStretch: (checkedTo: number) => void,
  signal: AbortSignal,
): Promise<ChainCheck> {
  for (let after = 0; ; ) {
    const check = await call(auditContract.check, { query: { tenantId, after } }, { signal });
    onStretch(check.checkedTo);
    if (check.isDone) return check;
    after = check.checkedTo;
  }
}

export function ChainCheckButton({ tenantId }: { tenantId: number | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const [progress, setProgress] = useState(begun);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const close = () => {
    stop.current?.abort();
    setIsOpen(false);
  };
  const start = async () => {
    stop.current?.abort();
    const controller = new AbortController();
    stop.current = controller;
    const { signal } = controller;
    const report = (more: Partial<CheckProgress>) =>
      signal.aborted || setProgress((known) => ({ ...known, ...more }));
    setProgress(begun);
    setIsOpen(true);
    try {
      const query = tenantId ? { tenantId } : {};
      const chains = await call(auditContract.chains, { query }, { signal });
      report({ total: chains.reduce((sum, { count }) => sum + count, 0) });
      const checked: Checked[] = [];
      let before = 0;
      for (const chain of chains) {
        report({ current: chain.tenantName });
        const onStretch = (checkedTo: number) => report({ done: before + checkedTo });
        checked.push({ chain, check: await checkWhole(chain, onStretch, signal) });
        before += chain.count;
        report({ checked: [...checked], done: before });
      }
      report({ isOver: true });
    } catch (error) {
      report({ isOver: true, failure: messageOf(error) });
    }
  };

  return (
    <>
      <Button onClick={() => void start()}>校验</Button>
      <Modal
        open={isOpen}
        title="校验操作审计"
        width={560}
        mask={{ closable: false }}
        scrollLock={false}
        destroyOnHidden
        onCancel={close}
        footer={<Button onClick={close}>{progress.isOver ? "关闭" : "停止"}</Button>}
      >
        <ProgressView course={progress} />
      </Modal>
    </>
  );
}

function ProgressView({ course: progress }: { course: CheckProgress }) {
  const { total, done, current, checked, isOver, failure } = progress;
  const broken = checked.filter(({ check }) => check.fault !== null);
  const count = checked.reduce((sum, { check }) => sum + check.count, 0);
  return (
    <div className="audit-check">
      {!isOver && (
        <>
          <p>
            正在重新计算{current && ` ${current} 的`}校验值：{formatNumber(Math.min(done, total))} /{" "}
            {formatNumber(total)} 条
          </p>
          <Progress
            percent={total === 0 ? 0 : Math.min(100, Math.floor((done / total) * 100))}
            showInfo={false}
          />
        </>
      )}
      {failure && <Alert type="error" showIcon title={`校验未完成：${failure}`} />}
      {isOver && !failure && broken.length === 0 && (
        <Alert
          type="success"
          showIcon
          title={`${formatNumber(count)} 条记录完整，没有被改动、删除、插入或调换次序`}
        />
      )}
      {broken.length > 0 && (
        <Alert
          type="error"
          showIcon
          title={`${broken.length} 个租户的记录与校验值不符，请保留现场并联系平台核查`}
        />
      )}
      <ul className="audit-chains">
        {checked.map((one) => (
          <ChainRow key={one.chain.tenantId} checked={one} />
        ))}
      </ul>
    </div>
  );
}

function ChainRow({ checked: { chain, check } }: { checked: Checked }) {
  const { fault, count, removed, headHash, sealed } = check;
  return (
    <li>
      <span>{chain.tenantName}</span>
      {fault && <Status tone="bad">不符</Status>}
      {!fault && count > 0 && <Status tone="good">{formatNumber(count)} 条完整</Status>}
      {!fault && count === 0 && <Status tone="quiet">尚无记录</Status>}
      {fault && <small>{faultText(fault)}</small>}
      {!fault && count > 0 && <small>校验码 {headHash}</small>}
      {!fault && removed > 0 && <small>前 {formatNumber(removed)} 条已到期删除</small>}
      {!fault && sealed && (
        <small>
          与 {sealed.day} 签出的校验码一致（第 {formatNumber(sealed.seq)} 条）
        </small>
      )}
    </li>
  );
}

function faultText({ kind, seq, at, summary }: NonNullable<ChainCheck["fault"]>): string {
  const which = seq === null ? "" : `第 ${formatNumber(seq)} 条起：`;
  const what = summary === null ? "" : `（${summary}，${formatDateTime(at)}）`;
  return `${which}${chainFaultText[kind]}${what}`;
}
