// 导出Excel dialog: confirms, fetches page by page with progress, writes the file (specification §2,
// §4, §8, §9).
import {
  type CellInput,
  EXPORT_PAUSE_MS,
  exportFilename,
  exportPageSize,
  namedColumns,
} from "@cabinet/contract/kit/export.rules.ts";
import Alert from "antd/es/alert";
import Progress from "antd/es/progress";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ApiError } from "../../kit/errors.ts";
import { messageOf, toast } from "../../kit/feedback.ts";
import { Button } from "../display/button.tsx";
import { Modal } from "../display/overlays.tsx";
import type { ExportColumn } from "../list/columns.ts";
import type { ListSnapshot, TakeSnapshot } from "../list/list-snapshot.ts";
import { type ExportProgress, fetchPages } from "./export-pages.ts";
import { saveFile, startWorkbook, type WorkbookJob } from "./export-workbook.ts";
import "./export-dialog.css";

export interface ExportInput<Row> {
  columns: readonly ExportColumn<Row>[];
  /** Total shown by the list; null when the list capped its count. */
  total: number | null;
  takeSnapshot: TakeSnapshot;
  /** Row of sums below the others. */
  sums?: CellInput[];
  filename?: string;
}

type Stage =
  | { at: "closed" }
  | { at: "asking" }
  /** The server builds the snapshot; `ahead`: number of exports queued before this one. */
  | { at: "preparing"; ahead: number }
  | { at: "fetching" }
  | { at: "writing" }
  /** `page`: the page that failed; null if it failed before the first page. */
  | { at: "failed"; page: number | null; message: string; isRefused: boolean }
  | { at: "short"; rowCount: number; total: number };

/** Export in progress: one snapshot of rows, written into one workbook. */
interface Run {
  snapshot: ListSnapshot;
  workbook: WorkbookJob;
}

/** Rows processed before yielding to the event loop. */
const ROWS_A_TURN = 100;

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
}

const nothingYet: ExportProgress = { page: 0, rowCount: 0, percent: 0 };

export interface ExportDialogProps {
  /** Taken once: the export ignores later changes of the list. */
  input: ExportInput<never>;
  /** Shown below the question: what the file contains. */
  scope?: ReactNode;
}

/** Asks when it is mounted; mounted anew for each export. */
export default function ExportDialog({ input, scope }: ExportDialogProps) {
  const [asked] = useState(input);
  const [stage, setStage] = useState<Stage>({ at: "asking" });
  const [progress, setProgress] = useState(nothingYet);
  const [total, setTotal] = useState(input.total);
  const run = useRef<Run | null>(null);
  const stop = useRef<AbortController | null>(null);

  const letGo = () => {
    run.current?.workbook.stop();
    run.current?.snapshot.end();
    run.current = null;
  };
  const cancel = () => {
    stop.current?.abort();
    letGo();
    setStage({ at: "closed" });
  };
  useEffect(
    () => () => {
      stop.current?.abort();
      run.current?.workbook.stop();
    },
    [],
  );

  const finish = async ({ snapshot, workbook }: Run, rowCount: number, signal: AbortSignal) => {
    setStage({ at: "writing" });
    if (asked.sums) workbook.addSums(asked.sums);
    const file = await workbook.finish();
    if (signal.aborted) return;
    saveFile(file, exportFilename(asked.filename));
    await new Promise((resolve) => setTimeout(resolve, EXPORT_PAUSE_MS));
    letGo();
    if (rowCount === snapshot.total) {
      setStage({ at: "closed" });
      toast.success("导出成功");
    } else {
      setStage({ at: "short", rowCount, total: snapshot.total });
    }
  };

  const fetchFrom = async (current: Run, page: number, rowCount: number, signal: AbortSignal) => {
    setStage({ at: "fetching" });
    const columns = namedColumns(asked.columns);
    const { snapshot, workbook } = current;
    const outcome = await fetchPages({
      fetchPage: snapshot.fetchPage,
      pageSize: snapshot.pageSize,
      total: snapshot.total,
      signal,
      onRows: async (rows) => {
        for (let at = 0; at < rows.length; at += ROWS_A_TURN) {
          const turn = rows.slice(at, at + ROWS_A_TURN) as never[];
          workbook.addRows(turn.map((row) => columns.map((column) => column.value(row))));
          await nextTurn();
        }
      },
      onProgress: setProgress,
      fromPage: page,
      rowCount,
    });
    if (outcome.state === "complete") await finish(current, outcome.rowCount, signal);
    if (outcome.state !== "failed") return;
    const isRefused = outcome.error instanceof ApiError && outcome.error.kind === "refused";
    setStage({ at: "failed", page: outcome.page, message: messageOf(outcome.error), isRefused });
  };

  /** Takes a snapshot if there is none, then fetches its pages from `page`. */
  const start = async (page: number, rowCount: number) => {
    if (!run.current) stop.current = new AbortController();
    const { signal } = stop.current ?? new AbortController();
    try {
      if (!run.current) {
        setProgress(nothingYet);
        setStage({ at: "preparing", ahead: 0 });
        const onAhead = (ahead: number) => setStage({ at: "preparing", ahead });
        const snapshot = await asked.takeSnapshot({ signal, onAhead });
        const headers = namedColumns(asked.columns).map(({ header, width, format }) => ({
          header,
          ...(width !== undefined && { width }),
          ...(format && { format }),
        }));
        run.current = { snapshot, workbook: startWorkbook(headers) };
        setTotal(snapshot.total);
      }
      await fetchFrom(run.current, page, rowCount, signal);
    } catch (error) {
      letGo();
      if (signal.aborted) return;
      setStage({ at: "failed", page: null, message: messageOf(error), isRefused: false });
    }
  };

  /**
   * Retries the failed page. A page that the server refused would be refused again, so that case
   * takes a new snapshot.
   */
  const retry = ({ page, isRefused }: { page: number | null; isRefused: boolean }) => {
    if (isRefused) letGo();
    return page === null || isRefused ? start(1, 0) : start(page, progress.rowCount);
  };

  /** The only page cannot be skipped: the file would be empty. */
  const skip = (page: number | null) =>
    page === null || !total || total <= exportPageSize(total)
      ? null
      : () => void start(page + 1, progress.rowCount);

  return (
    <>
      <Modal
        open={stage.at === "asking"}
        title="导出Excel"
        okText="确定"
        cancelText="取消"
        width={420}
        scrollLock={false}
        onCancel={cancel}
        onOk={() => void start(1, 0)}
      >
        <p className="ui-export-question">是否确认导出</p>
        {scope && <p className="ui-export-scope">{scope}</p>}
      </Modal>
      <Modal
        open={stage.at !== "closed" && stage.at !== "asking"}
        title="导出Excel"
        footer={null}
        width={600}
        mask={{ closable: false }}
        scrollLock={false}
        onCancel={cancel}
      >
        <div className="ui-export">
          <dl className="ui-export-counts">
            <div>
              <dt>总数</dt>
              <dd>{total ?? "统计中"}</dd>
            </div>
            <div>
              <dt>已下载</dt>
              <dd>{progress.rowCount}</dd>
            </div>
          </dl>
          <ExportProgressBar percent={progress.percent ?? 0} stage={stage} />
          {stage.at === "failed" && (
            <ExportFailure
              page={stage.page}
              message={stage.message}
              onRetry={() => void retry(stage)}
              onSkip={skip(stage.page)}
              onGiveUp={cancel}
            />
          )}
          {stage.at === "short" && (
            <ExportShort rowCount={stage.rowCount} total={stage.total} onClose={cancel} />
          )}
        </div>
      </Modal>
    </>
  );
}

function ExportProgressBar({ percent, stage }: { percent: number; stage: Stage }) {
  const text = stageText(stage);
  return (
    <div>
      <Progress
        aria-label="导出进度"
        percent={percent}
        status="normal"
        strokeColor={`var(--ant-color-${stage.at === "failed" ? "error" : "primary"})`}
      />
      {text && (
        <p className="ui-export-note" role="status">
          {text}
        </p>
      )}
    </div>
  );
}

function stageText(stage: Stage): string {
  if (stage.at === "writing") return "正在生成文件…";
  if (stage.at === "fetching") return "正在逐页下载，关闭窗口即停止导出";
  if (stage.at !== "preparing") return "";
  return stage.ahead > 0 ? `前面还有 ${stage.ahead} 个导出，请稍候…` : "正在读取数据…";
}

interface ExportFailureProps {
  page: number | null;
  message: string;
  onRetry: () => void;
  /** Null when the page cannot be skipped. */
  onSkip: (() => void) | null;
  onGiveUp: () => void;
}

function ExportFailure({ page, message, onRetry, onSkip, onGiveUp }: ExportFailureProps) {
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={page === null ? "导出失败，文件未生成" : `第 ${page} 页下载失败，文件未生成`}
      description={message}
      action={
        <div className="ui-export-choices">
          <Button type="primary" onClick={onRetry}>
            重试
          </Button>
          {onSkip && <Button onClick={onSkip}>跳过这一页</Button>}
          <Button onClick={onGiveUp}>放弃</Button>
        </div>
      }
    />
  );
}

interface ExportShortProps {
  rowCount: number;
  total: number;
  onClose: () => void;
}

function ExportShort({ rowCount, total, onClose }: ExportShortProps) {
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      title={`文件已生成，缺少 ${total - rowCount} 条`}
      description={`共 ${total} 条，已导出 ${rowCount} 条。需要完整数据请重新导出。`}
      action={<Button onClick={onClose}>知道了</Button>}
    />
  );
}
