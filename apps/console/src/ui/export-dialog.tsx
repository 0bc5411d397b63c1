// 导出Excel: asks, fetches page by page with its progress, writes the file (specification §2, §4, §8, §9).
import {
  EXPORT_PAGE_SIZE,
  EXPORT_PAUSE_MS,
  exportFilename,
  namedColumns,
} from "@cabinet/contract/kit/export.rules.ts";
import Alert from "antd/es/alert";
import Button, { type ButtonProps } from "antd/es/button";
import Modal from "antd/es/modal";
import Progress from "antd/es/progress";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { messageOf, toast } from "../kit/feedback.ts";
import type { ExportColumn } from "./columns.ts";
import { type ExportOutcome, type FetchPage, fetchPages } from "./export-pages.ts";
import { saveFile, startWorkbook, type WorkbookJob } from "./export-workbook.ts";
import "./export-dialog.css";

interface ExportInput<Row> {
  columns: readonly ExportColumn<Row>[];
  /** Null: not known; pages are fetched until one is empty. */
  total: number | null;
  fetchPage: FetchPage;
  pageSize?: number;
  filename?: string;
}

type Stage =
  | { at: "closed" }
  | { at: "asking" }
  | { at: "fetching" }
  | { at: "writing" }
  | { at: "failed"; page: number | null; message: string }
  | { at: "short"; rowCount: number; total: number };

const nothingYet = { page: 0, rowCount: 0, percent: 0 as number | null };

export interface ExportButtonProps<Row> extends Omit<ButtonProps, "onClick"> {
  input: ExportInput<Row>;
  /** Said below the question: what is in the file. */
  scope?: ReactNode;
}

export function ExportButton<Row>({ input, scope, ...button }: ExportButtonProps<Row>) {
  const [stage, setStage] = useState<Stage>({ at: "closed" });
  const [progress, setProgress] = useState(nothingYet);
  const job = useRef<WorkbookJob | null>(null);
  const stop = useRef<AbortController | null>(null);
  // What was asked for is what is exported, whatever the list shows meanwhile.
  const [run, setRun] = useState(input);

  const cancel = () => {
    stop.current?.abort();
    job.current?.stop();
    job.current = null;
    setStage({ at: "closed" });
  };
  useEffect(() => () => stop.current?.abort(), []);

  const finish = async (current: WorkbookJob, rowCount: number, signal: AbortSignal) => {
    setStage({ at: "writing" });
    const columns = namedColumns(run.columns).map(({ header, width }) => ({
      header,
      ...(width !== undefined && { width }),
    }));
    const file = await current.write(columns);
    if (signal.aborted) return;
    saveFile(file, exportFilename(run.filename));
    await new Promise((resolve) => setTimeout(resolve, EXPORT_PAUSE_MS));
    current.stop();
    job.current = null;
    if (run.total !== null && rowCount !== run.total) {
      setStage({ at: "short", rowCount, total: run.total });
    } else {
      setStage({ at: "closed" });
      toast.success("导出成功");
    }
  };

  const fetchFrom = async (page: number, rowCount: number) => {
    const current = job.current ?? startWorkbook();
    job.current = current;
    stop.current = new AbortController();
    const { signal } = stop.current;
    setStage({ at: "fetching" });
    const columns = namedColumns(run.columns);
    try {
      const outcome: ExportOutcome = await fetchPages({
        fetchPage: run.fetchPage,
        pageSize: run.pageSize ?? EXPORT_PAGE_SIZE,
        total: run.total,
        signal,
        onRows: (rows) =>
          current.addRows(rows.map((row) => columns.map((column) => column.value(row as Row)))),
        onProgress: setProgress,
        fromPage: page,
        rowCount,
      });
      if (outcome.state === "failed") {
        setStage({ at: "failed", page: outcome.page, message: outcome.message });
      } else if (outcome.state === "complete") {
        await finish(current, outcome.rowCount, signal);
      }
    } catch (error) {
      current.stop();
      job.current = null;
      if (!signal.aborted) setStage({ at: "failed", page: null, message: messageOf(error) });
    }
  };

  const ask = () => {
    setRun(input);
    setProgress(input.total === null ? { ...nothingYet, percent: null } : nothingYet);
    setStage({ at: "asking" });
  };

  return (
    <>
      <Button {...button} onClick={ask} />
      <Modal
        open={stage.at === "asking"}
        title="导出Excel"
        okText="确定"
        cancelText="取消"
        width={420}
        scrollLock={false}
        onCancel={cancel}
        onOk={() => void fetchFrom(1, 0)}
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
              <dd>{run.total ?? "统计中"}</dd>
            </div>
            <div>
              <dt>已下载</dt>
              <dd>{progress.rowCount}</dd>
            </div>
          </dl>
          <ExportProgressBar percent={progress.percent} stage={stage} />
          {stage.at === "failed" && (
            <ExportFailure
              page={stage.page}
              message={stage.message}
              onRetry={() => void fetchFrom(stage.page ?? 1, stage.page ? progress.rowCount : 0)}
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

function ExportProgressBar({ percent, stage }: { percent: number | null; stage: Stage }) {
  const text =
    stage.at === "writing"
      ? "正在生成文件…"
      : stage.at === "fetching"
        ? "正在逐页下载，关闭窗口即停止导出"
        : "";
  return (
    <div>
      {percent !== null && (
        <Progress
          aria-label="导出进度"
          percent={percent}
          status="normal"
          strokeColor={`var(--ant-color-${stage.at === "failed" ? "error" : "primary"})`}
        />
      )}
      {text && (
        <p className="ui-export-note" role="status">
          {text}
        </p>
      )}
    </div>
  );
}

interface ExportFailureProps {
  page: number | null;
  message: string;
  onRetry: () => void;
  onGiveUp: () => void;
}

function ExportFailure({ page, message, onRetry, onGiveUp }: ExportFailureProps) {
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={page === null ? "文件没有生成" : `第 ${page} 页下载失败，文件没有生成`}
      description={message}
      action={
        <div className="ui-export-choices">
          <Button type="primary" onClick={onRetry}>
            重试
          </Button>
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
      title={`文件已生成，但应有 ${total} 条，实际导出 ${rowCount} 条`}
      description="导出期间数据有变化。如需完整数据，请重新导出。"
      action={<Button onClick={onClose}>知道了</Button>}
    />
  );
}
