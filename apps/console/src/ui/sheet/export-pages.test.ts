// Fetching pages for the export (specification §4, §8, §9).
import { describe, expect, it } from "vitest";
import { type ExportProgress, type ExportRun, fetchPages, type PageReply } from "./export-pages.ts";

function listOf(rowCount: number, page: number, pageSize: number): PageReply {
  const rows = Array.from({ length: rowCount }, (_, index) => index + 1);
  return {
    code: 0,
    data: { list: rows.slice((page - 1) * pageSize, page * pageSize), total: rowCount },
    errMsg: "",
  };
}

function startRun(over: Partial<ExportRun>) {
  const rows: unknown[] = [];
  const progress: ExportProgress[] = [];
  const run: ExportRun = {
    fetchPage: async (page, pageSize) => listOf(100, page, pageSize),
    pageSize: 49,
    total: 100,
    signal: new AbortController().signal,
    onRows: (page) => {
      rows.push(...page);
    },
    onProgress: (step) => progress.push(step),
    ...over,
  };
  return { run, rows, progress };
}

describe("specification §9: export by pages", () => {
  it("fetches pages of 49 one by one up to the known total", async () => {
    const { run, rows, progress } = startRun({});
    expect(await fetchPages(run)).toEqual({ state: "complete", rowCount: 100 });
    expect(rows).toHaveLength(100);
    expect(progress.map((step) => step.percent)).toEqual([33, 66, 100]);
    expect(progress.map((step) => step.rowCount)).toEqual([49, 98, 100]);
  });

  it("without a known total, fetches until a page is empty", async () => {
    const pages: number[] = [];
    const { run, rows, progress } = startRun({
      total: null,
      fetchPage: async (page, pageSize) => {
        pages.push(page);
        return listOf(98, page, pageSize);
      },
    });
    expect(await fetchPages(run)).toEqual({ state: "complete", rowCount: 98 });
    expect(pages).toEqual([1, 2, 3]);
    expect(rows).toHaveLength(98);
    expect(progress.every((step) => step.percent === null)).toBe(true);
  });

  it("fetches nothing when there is nothing", async () => {
    const { run } = startRun({ total: 0 });
    expect(await fetchPages(run)).toEqual({ state: "complete", rowCount: 0 });
  });
});

describe("specification §4: closing stops the loop", () => {
  it("fetches no further page and gives no result", async () => {
    const stop = new AbortController();
    const pages: number[] = [];
    const { run } = startRun({
      signal: stop.signal,
      fetchPage: async (page, pageSize) => {
        pages.push(page);
        if (page === 2) stop.abort();
        return listOf(100, page, pageSize);
      },
    });
    expect(await fetchPages(run)).toEqual({ state: "cancelled" });
    expect(pages).toEqual([1, 2]);
  });
});

describe("specification §8: a failed page is not silently a success", () => {
  it("retries the page once", async () => {
    let failures = 1;
    const { run, rows } = startRun({
      fetchPage: async (page, pageSize) => {
        if (page === 2 && failures-- > 0) throw new Error("网络异常");
        return listOf(100, page, pageSize);
      },
    });
    expect(await fetchPages(run)).toEqual({ state: "complete", rowCount: 100 });
    expect(rows).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });

  it("then reports the page, and resumes from it on request", async () => {
    let isBroken = true;
    const { run, rows } = startRun({
      fetchPage: async (page, pageSize) =>
        page === 2 && isBroken
          ? { code: 1, data: null, errMsg: "系统繁忙" }
          : listOf(100, page, pageSize),
    });
    const outcome = await fetchPages(run);
    expect(outcome).toEqual({
      state: "failed",
      page: 2,
      rowCount: 49,
      error: new Error("系统繁忙"),
    });
    isBroken = false;
    expect(await fetchPages({ ...run, fromPage: 2, rowCount: 49 })).toEqual({
      state: "complete",
      rowCount: 100,
    });
    expect(rows).toHaveLength(100);
  });

  it("counts the rows received when the list has shrunk", async () => {
    const { run } = startRun({ fetchPage: async (page, pageSize) => listOf(60, page, pageSize) });
    expect(await fetchPages(run)).toEqual({ state: "complete", rowCount: 60 });
  });
});
