// Outline and search of a document.
import { expect, it } from "vitest";
import { outlineOf, searchSections } from "./doc.rules.ts";

it("outlineOf: lists chapters with their sections, nothing deeper", () => {
  const headings = [
    { id: "a", level: 1, text: "甲" },
    { id: "a-1", level: 2, text: "一" },
    { id: "a-1-x", level: 3, text: "细" },
  ];
  expect(
    outlineOf([
      { headings, html: "" },
      { headings: [], html: "" },
    ]),
  ).toEqual([{ id: "a", text: "甲", sections: [headings[1]] }]);
});

const sections = [
  { id: "one", chapter: "备份", title: "每天", text: "用 npm run backup 备份到另一块磁盘" },
  { id: "two", chapter: "备份", title: "备份的内容", text: "数据库、文件" },
  { id: "three", chapter: "日志", title: "日志", text: "Backup 失败时" },
];

it("searchSections: matches every word, ranks titles first, returns an excerpt", () => {
  expect(searchSections(sections, "备份").map(({ id }) => id)).toEqual(["two", "one"]);
  expect(searchSections(sections, "BACKUP 磁盘")).toEqual([
    {
      id: "one",
      chapter: "备份",
      title: "每天",
      before: "用 npm run ",
      match: "backup",
      after: " 备份到另一块磁盘",
    },
  ]);
  expect(searchSections(sections, "  ")).toEqual([]);
  expect(searchSections(sections, "没有的词")).toEqual([]);
});
