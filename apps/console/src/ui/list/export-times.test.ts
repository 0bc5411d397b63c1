// Tests that columns of days and times are dates in the workbook, in each list that has its columns in a file.
import { expect, it, vi } from "vitest";
import { type Column, exportColumns } from "./columns.ts";

/** A span, and hours of a week. */
const SEVERAL = ["投放日期", "营业时间"];

const isColumns = (value: unknown): value is Column<object>[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => each?.title && each.width);

it("each column of days or times has a format", async () => {
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("document", { addEventListener: () => undefined });
  const files = import.meta.glob("../../{domain,features}/**/*columns.tsx");
  const modules = await Promise.all(Object.values(files).map((load) => load()));
  const columns = modules.flatMap((module) => Object.values(Object(module)).filter(isColumns));
  const headers = columns.flatMap((each) => exportColumns(each));
  expect(headers.length).toBeGreaterThan(100);
  const times = headers.filter(({ header }) => /(日|日期|账期|时间|失效)$|^最近/.test(header));
  const texts = times.filter(({ format }) => !format).map(({ header }) => header);
  expect(texts.toSorted()).toEqual(SEVERAL);
}, 60_000);
