// Fetches every page of a list for the export, one by one (specification §4, §7, §9).
import { exportMaxPage, exportPercent, listOfReply } from "@cabinet/contract/kit/export.rules.ts";

export interface PageReply {
  code: number;
  data: unknown;
  errMsg: string;
}

/** Supplied by the page: requests one page and returns the server's envelope. */
export type FetchPage = (page: number, pageSize: number) => Promise<PageReply>;

export interface ExportProgress {
  page: number;
  rowCount: number;
  /** Null while the total is unknown. */
  percent: number | null;
}

export type ExportOutcome =
  | { state: "complete"; rowCount: number }
  | { state: "cancelled" }
  /** Page `page` failed twice; a run with `fromPage` set to it resumes here. */
  | { state: "failed"; page: number; rowCount: number; error: Error };

export interface ExportRun {
  fetchPage: FetchPage;
  pageSize: number;
  /** Null: fetch until a page is empty. */
  total: number | null;
  signal: AbortSignal;
  /** Awaited before the next page is requested. */
  onRows: (rows: unknown[]) => void | Promise<void>;
  onProgress: (progress: ExportProgress) => void;
  fromPage?: number;
  rowCount?: number;
}

async function fetchRows(run: ExportRun, page: number): Promise<unknown[]> {
  const reply = await run.fetchPage(page, run.pageSize);
  const rows = reply.code === 0 ? listOfReply(reply.data) : null;
  if (!rows) throw new Error(reply.errMsg || "服务器没有返回数据");
  return rows;
}

const RETRY_PAUSE_MS = 500;

/** Retries a failed page once before the run stops with an error. */
async function fetchRowsTwice(run: ExportRun, page: number): Promise<unknown[]> {
  try {
    return await fetchRows(run, page);
  } catch (error) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
    if (run.signal.aborted) throw error;
    return await fetchRows(run, page);
  }
}

export async function fetchPages(run: ExportRun): Promise<ExportOutcome> {
  const maxPage = run.total === null ? null : exportMaxPage(run.total, run.pageSize);
  let rowCount = run.rowCount ?? 0;
  for (let page = run.fromPage ?? 1; maxPage === null || page <= maxPage; page += 1) {
    if (run.signal.aborted) return { state: "cancelled" };
    let rows: unknown[];
    try {
      rows = await fetchRowsTwice(run, page);
    } catch (error) {
      if (run.signal.aborted) return { state: "cancelled" };
      const failure = error instanceof Error ? error : new Error(String(error));
      return { state: "failed", page, rowCount, error: failure };
    }
    if (run.signal.aborted) return { state: "cancelled" };
    if (maxPage === null && rows.length === 0) break;
    await run.onRows(rows);
    if (run.signal.aborted) return { state: "cancelled" };
    rowCount += rows.length;
    run.onProgress({
      page,
      rowCount,
      percent: maxPage === null ? null : exportPercent(page, maxPage),
    });
  }
  return { state: "complete", rowCount };
}
