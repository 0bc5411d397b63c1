// Files of devices as people have them, each with the right result of its import.
import {
  archive,
  type BookOf,
  bytesOf,
  type CellOf,
  dayNumber,
  gb18030,
  type SheetOf,
  utf8,
  utf16,
  workbook,
} from "./files.ts";

/**
 * Line, cells as stored (number, model, batch, remark), and its verdict: nothing for good, `!…` for bad with this in
 * its message, `?…` for one to be looked at.
 */
export type RightLine = readonly [
  line: number,
  cells: readonly string[],
  verdict?: string | undefined,
];

export interface Case {
  name: string;
  bytes: Uint8Array;
  right:
    | { refused: string }
    | {
        lines: readonly RightLine[];
        /** Lines of the file below the header. Default: one for each line. */
        total?: number;
        sheet?: number;
        header?: number;
        hidden?: readonly number[];
        hiddenColumns?: readonly string[];
        isUncertain?: true;
        encoding?: string;
      };
}

const TITLES = ["设备编号", "型号", "批次", "备注"];
const A = "ZC260001";
const B = "ZC260002";
const C = "ZC260003";
const M = "单面柜";

const sheet = (...rows: SheetOf["rows"]): BookOf => ({ sheets: [{ name: "清单", rows }] });
/** A sheet with the titles and one device with these cells. */
const one = (...cells: CellOf[]): Uint8Array => workbook(sheet(TITLES, cells));
const good = (line: number, sn: string, batch = "", remark = ""): RightLine => [
  line,
  [sn, M, batch, remark],
];

/** The batch cell, and what it is stored as; `?` when a person should compare. */
const shown: readonly (readonly [string, CellOf, string, string?])[] = [
  ["text", "2026-11 试点", "2026-11 试点"],
  ["text 007", "007", "007"],
  ["number 007 by format 000", { v: 7, format: "000" }, "007", "?数字格式"],
  ["number 7", { v: 7 }, "7", "?前面的 0"],
  [
    "month by format 57 (typed 2026-11)",
    { v: dayNumber("2026-11-01"), format: 57 },
    "2026年11月",
    "?日期格式",
  ],
  ["month by format 27", { v: dayNumber("2026-11-01"), format: 27 }, "2026年11月", "?日期格式"],
  [
    "day by format 14 (typed 2026-11-1)",
    { v: dayNumber("2026-11-01"), format: 14 },
    "2026/11/1",
    "?日期格式",
  ],
  [
    "day by format 58 (typed 1-2)",
    { v: dayNumber("2026-01-02"), format: 58 },
    "1月2日",
    "?日期格式",
  ],
  ["day by format 31", { v: dayNumber("2026-11-21"), format: 31 }, "2026年11月21日", "?日期格式"],
  [
    "day by an own format",
    { v: dayNumber("2026-11-21"), format: "yyyy\\-mm\\-dd" },
    "2026-11-21",
    "?日期格式",
  ],
  [
    "month by an own format",
    { v: dayNumber("2026-11-21"), format: "yyyy-mm" },
    "2026-11",
    "?日期格式",
  ],
  ["English month", { v: dayNumber("2026-11-01"), format: 17 }, "Nov-26", "?日期格式"],
  ["thousands", { v: 12345, format: "#,##0" }, "12,345", "?数字"],
  ["text by a format with @", { v: "七", t: "str", format: '"第"@"批"' }, "第七批"],
  ["number formatted as text", { v: 202611, format: 49 }, "202611", "?前面的 0"],
  ["rounding noise", { v: 0.30000000000000004 }, "0.3", "?数字格式"],
  ["boolean", { v: 1, t: "b" }, "TRUE"],
  ["formula with a text", { v: "2026-11", t: "str", f: 'TEXT(A1,"yyyy-mm")' }, "2026-11"],
  ["formula with an empty text", { v: "", t: "str", f: 'IF(A1="","","x")' }, ""],
  ["shared string", { v: 0, t: "s" }, "共享的批次"],
  ["wide letters", "Ｂ２６", "B26"],
  ["invisible marks", "\u202dB26\u200b\u202c", "B26"],
  ["blanks", "  B   26 ", "B 26"],
];

const refusedCells: readonly (readonly [string, CellOf, string])[] = [
  ["18 digits", { v: 202611010000000000 }, "“批次”是数字格式，超过 15 位"],
  ["17 digits by format 0", { v: 20261101000000000, format: 1 }, "已失真"],
  ["#N/A", { v: "#N/A", t: "e" }, "错误值 #N/A"],
  ["#REF! of a formula", { v: "#REF!", t: "e", f: "Sheet9!A1" }, "错误值 #REF!"],
  ["#DIV/0!", { v: "#DIV/0!", t: "e", f: "1/0" }, "错误值 #DIV/0!"],
  ["formula without a result", { f: "Sheet2!A1" }, "没有结果的公式"],
  ["scientific text", "2.02611E+17", "已失真"],
  ["41 characters", "批".repeat(41), "批次最多 40 个字"],
];

const numbers: readonly (readonly [string, CellOf, string, string?])[] = [
  ["text", A, A],
  ["lower case", "zc260001", A],
  ["wide", "ＺＣ２６０００１", A],
  ["grouped by blanks", "ZC26 0001", A],
  ["grouped by dashes", "ZC26-0001", A],
  ["with its label", "编号：ZC260001", A],
  ["marks of direction (from a chat)", "\u202dZC260001\u202c", A],
  ["zero width blank", "ZC26\u200b0001", A],
  ["no-break blank", "\u00a0ZC260001\u00a0", A],
  ["8 digits as a number", { v: 12345678 }, "12345678", "?前面的 0"],
  ["12 digits as a number", { v: 202611210001 }, "202611210001", "?前面的 0"],
  ["15 digits as a number", { v: 202611210001234 }, "202611210001234", "?前面的 0"],
  [
    "10 digits by format 0000000000",
    { v: 26110001, format: "0000000000" },
    "0026110001",
    "?数字格式",
  ],
  ["formula with a result", { v: A, t: "str", f: '"ZC26"&"0001"' }, A],
  ["16 digits as a number", { v: 1234567890123456 }, "1234567890123460", "!超过 15 位"],
  ["a decimal number", { v: 12345678.5 }, "12345678.5", "!已失真"],
  ["a huge number", { v: 1.2e21 }, "1.2e+21", "!已失真"],
  ["scientific text", "1.20261E+15", "1.20261E+15", "!已失真"],
  ["a date", { v: dayNumber("2026-11-21"), format: 14 }, "2026/11/21", "!只能是大写字母和数字"],
  ["an error", { v: "#VALUE!", t: "e" }, "#VALUE!", "!错误值 #VALUE!"],
  ["nothing", null, "", "!设备编号为空"],
  ["too short", "AB12", "AB12", "!只有 4 位"],
  ["too long", "Z".repeat(33), "Z".repeat(33), "!有 33 位"],
  ["a letter that is none", "ZC26000Ж", "ZC26000Ж", "!含有“Ж”"],
];

const line = (sn: string, batch = "", remark = "") => `${sn},${M},${batch},${remark}\n`;
const head = `${TITLES.join(",")}\n`;
const three = [good(2, A), good(3, B), good(4, C)];
const csv = head + line(A) + line(B) + line(C);

/** Text files. */
const texts: readonly (readonly [string, Uint8Array, Case["right"]])[] = [
  ["UTF-8", utf8(csv), { lines: three, encoding: "UTF-8" }],
  ["UTF-8 with a mark", utf8(`\ufeff${csv}`), { lines: three, encoding: "UTF-8" }],
  ["GB18030", gb18030(csv), { lines: three, encoding: "GB18030" }],
  [
    "UTF-16 LE with a mark and tabs (Unicode text of Excel)",
    utf16(csv.replaceAll(",", "\t"), false, true),
    { lines: three, encoding: "UTF-16" },
  ],
  ["UTF-16 BE with a mark", utf16(csv, true, true), { lines: three, encoding: "UTF-16" }],
  ["UTF-16 LE without a mark", utf16(csv, false, false), { lines: three, encoding: "UTF-16" }],
  ["UTF-16 BE without a mark", utf16(csv, true, false), { lines: three, encoding: "UTF-16" }],
  ["line breaks of Windows", utf8(csv.replaceAll("\n", "\r\n")), { lines: three }],
  ["line breaks of old Macs", utf8(csv.replaceAll("\n", "\r")), { lines: three }],
  ["no last line break", utf8(csv.trimEnd()), { lines: three }],
  ["semicolons", utf8(csv.replaceAll(",", ";")), { lines: three }],
  ["tabs", utf8(csv.replaceAll(",", "\t")), { lines: three }],
  ["bars", utf8(csv.replaceAll(",", "|")), { lines: three }],
  ["wide commas of an input method", utf8(csv.replaceAll(",", "，")), { lines: three }],
  ["wide semicolons", gb18030(csv.replaceAll(",", "；")), { lines: three }],
  [
    "wide commas in a remark are text",
    utf8(`${head}${line(A).trimEnd()}小心，轻放，勿压\n${line(B)}`),
    { lines: [good(2, A, "", "小心，轻放，勿压"), good(3, B)] },
  ],
  ["sep=,", utf8(`sep=,\n${csv}`), { header: 2, lines: [good(3, A), good(4, B), good(5, C)] }],
  [
    "sep=; with a mark",
    utf8(`\ufeffsep=;\r\n${csv.replaceAll(",", ";")}`),
    { header: 2, lines: [good(3, A), good(4, B), good(5, C)] },
  ],
  [
    "SEP=| of an export",
    utf8(`SEP=|\n${csv.replaceAll(",", "|")}`),
    { header: 2, lines: [good(3, A), good(4, B), good(5, C)] },
  ],
  [
    "semicolons, with commas in the remarks",
    utf8(`${TITLES.join(";")}\n${A};${M};;一\n${B};${M};;甲,乙,丙,丁\n`),
    { lines: [good(2, A, "", "一"), good(3, B, "", "甲,乙,丙,丁")] },
  ],
  [
    "quoted fields",
    utf8(`"设备编号","型号","批次","备注"\n"${A}","${M}","B1","a, ""b"""\n`),
    { lines: [good(2, A, "B1", 'a, "b"')] },
  ],
  [
    "a line break in quotes",
    utf8(`${head}${A},${M},,"一\n二"\n${line(B)}`),
    { lines: [good(2, A, "", "一\n二"), good(3, B)] },
  ],
  ["quotes with blanks behind", utf8(`${head}"${A}" ,${M},,\n`), { lines: [good(2, A)] }],
  [
    "a quote within a field",
    utf8(`${head}${A},${M},,24" 屏\n${line(B)}`),
    { lines: [good(2, A, "", '24" 屏'), good(3, B)] },
  ],
  [
    "an open quote, more devices below",
    utf8(`${head}${A},${M},B,"24 寸屏\n${line(B)}${line(C)}`),
    { lines: [[2, [A, M, "B", '"24 寸屏'], "!第 2 行的引号没有成对"], good(3, B), good(4, C)] },
  ],
  [
    "an open quote in the last line",
    utf8(`${head}${line(A)}${B},${M},,"`),
    { lines: [good(2, A), [3, [B, M, "", '"'], "!第 3 行的引号"]] },
  ],
  [
    "two open quotes",
    utf8(`${head}${A},${M},,"a\n${B},${M},,"b\n${line(C)}`),
    {
      lines: [
        [2, [A, M, "", '"a'], "!第 2 行的引号"],
        [3, [B, M, "", '"b'], "!第 3 行的引号"],
        good(4, C),
      ],
    },
  ],
  [
    "an open quote before quoted fields",
    utf8(`${head}${A},${M},,"24 寸\n"${B}","${M}","",""\n`),
    { lines: [[2, [A, M, "", '"24 寸'], "!第 2 行的引号"], good(3, B)] },
  ],
  [
    "letters behind a closing quote",
    utf8(`${head}${A},${M},,"a"b\n${line(B)}`),
    { lines: [[2, [A, M, "", '"a"b'], "!第 2 行的引号"], good(3, B)] },
  ],
  [
    "an open quote that the next line closes",
    utf8(`${head}${A},${M},,"24 寸\n${B},${M},,屏"\n${line(C)}`),
    { lines: [[2, [A, M, "", `24 寸\n${B},${M},,屏`], "?多行内容"], good(3, C)] },
  ],
  [
    "a broken byte of UTF-8",
    bytesOf(`${head}${A},${M},,试`, [0xe7, 0x82], `\n${line(B)}`),
    { encoding: "UTF-8", lines: [[2, [A, M, "", "试\ufffd"], "!无法识别的字符"], good(3, B)] },
  ],
  [
    "a byte of another encoding",
    bytesOf(`${head}${line(A, "", "备注一")}${B},${M},,caf`, [0xe9], "\n"),
    {
      encoding: "UTF-8",
      lines: [good(2, A, "", "备注一"), [3, [B, M, "", "caf\ufffd"], "!无法识别的字符"]],
    },
  ],
  [
    "a broken byte of GB18030",
    bytesOf(
      [...gb18030(head), ...gb18030(line(A)), ...gb18030(`${B},${M},,`), 0xff, 0x0a],
      [...gb18030(line(C))],
    ),
    { encoding: "GB18030", lines: [good(2, A), [3, [B, M, "", "\ufffd"], "!GB18030"], good(4, C)] },
  ],
  [
    "half a character of UTF-16",
    utf16(`${head}${A},${M},,a\ud83d\n${line(B)}`, false, true),
    { lines: [[2, [A, M, "", "a\ufffd"], "!无法识别"], good(3, B)] },
  ],
  [
    "broken before: replacement characters",
    utf8(`${head}${A},${M},,\ufffd\ufffd\n`),
    { lines: [[2, [A, M, "", "\ufffd\ufffd"], "!无法识别"]] },
  ],
  [
    "empty lines between and behind",
    utf8(`${head}${line(A)}\n,,,\n${line(B)}\n\n\n`),
    { total: 4, lines: [good(2, A), good(5, B)] },
  ],
  [
    "too few fields",
    utf8(`${head}${A}\n${B},${M}\n`),
    { lines: [[2, [A, "", "", ""], "!型号为空"], good(3, B)] },
  ],
  ["too many fields", utf8(`${head}${A},${M},b,r,x,y\n`), { lines: [good(2, A, "b", "r")] }],
  [
    "a title above the header",
    utf8(`发货清单,,,\n,,,\n${csv}`),
    { header: 3, lines: [good(4, A), good(5, B), good(6, C)] },
  ],
  [
    "twice the same number",
    utf8(head + line(A) + line("zc26-0001")),
    { lines: [good(2, A), [3, [A, M, "", ""], "!与第 2 行的编号重复"]] },
  ],
  ["a leading zero", utf8(`${head}00123456,${M},007,\n`), { lines: [good(2, "00123456", "007")] }],
  [
    "a number that Excel has shortened",
    utf8(`${head}2.02611E+11,${M},,\n`),
    { lines: [[2, ["2.02611E+11", M, "", ""], "!已失真"]] },
  ],
  ["a formula as text", utf8(`${head}${A},${M},,=1+1\n`), { lines: [good(2, A, "", "=1+1")] }],
  [
    "emoji and rare names",
    utf8(`${head}${A},${M},,👨‍👩‍👧 𠮷\n`),
    { lines: [good(2, A, "", "👨‍👩‍👧 𠮷")] },
  ],
  [
    "an unknown model",
    utf8(`${head}${A},三面柜,,\n`),
    { lines: [[2, [A, "三面柜", "", ""], "!没有型号“三面柜”"]] },
  ],
  ["a model with an invisible mark", utf8(`${head}${A},单面柜\u200b,,\n`), { lines: [good(2, A)] }],
  ["nothing", utf8(""), { refused: "文件是空的" }],
  ["blanks alone", utf8(" \n\n \n"), { refused: "文件里没有内容" }],
  ["the header alone", utf8(head), { refused: "只有表头" }],
  ["other columns", utf8("姓名,电话\n张三,1\n"), { refused: "没有找到“设备编号”、“型号”" }],
  [
    "a picture",
    bytesOf([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]),
    { refused: "只支持 .xlsx 和 .csv" },
  ],
  [
    "501 lines",
    utf8(head + Array.from({ length: 501 }, (_, at) => line(`ZC26${10_000 + at}`)).join("")),
    { refused: "文件里有 501 行" },
  ],
];

const rows = [TITLES, [A, M, "", ""], [B, M, "", ""]];
const two = [good(2, A), good(3, B)];
const blankRows = (from: number, to: number) =>
  Array.from(
    { length: to - from + 1 },
    (_, at) =>
      `<row r="${from + at}"><c r="A${from + at}" s="1"/><c r="B${from + at}" s="1"/></row>`,
  ).join("");
const textCell = (place: string, text: string) =>
  `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;

/** Workbooks as programs write them. */
const books: readonly (readonly [string, Uint8Array, Case["right"]])[] = [
  ["plain", workbook(sheet(...rows)), { lines: two }],
  [
    "shared strings (Excel, WPS)",
    workbook({
      shared: [...TITLES, A, M],
      sheets: [
        {
          rows: [
            TITLES.map((_, at) => ({ v: at, t: "s" as const })),
            [
              { v: 4, t: "s" },
              { v: 5, t: "s" },
            ],
          ],
        },
      ],
    }),
    { lines: [good(2, A)] },
  ],
  ["elements with a prefix", workbook({ ...sheet(...rows), prefix: "x" }), { lines: two }],
  ["rows and cells without places", workbook({ ...sheet(...rows), isBare: true }), { lines: two }],
  [
    "titles of the template",
    workbook(sheet(["设备编号（必填）", "型号（必填）", "批次", "备注"], ...rows.slice(1))),
    { lines: two },
  ],
  [
    "other titles, in another order",
    workbook(sheet(["备注", "设备类型", "序列号"], ["x", M, A])),
    { lines: [good(2, A, "", "x")] },
  ],
  [
    "wide titles with stars",
    workbook(sheet(["ＳＮ *", "型号(必填)"], [A, M])),
    { lines: [good(2, A)] },
  ],
  [
    "titles with invisible marks",
    workbook(sheet(["\u200b设备编号", "型号\u200b"], [A, M])),
    { lines: [good(2, A)] },
  ],
  [
    "a title above the header",
    workbook({
      sheets: [{ rows: [["2026 年 11 月发货清单"], [null], ...rows], merges: ["A1:D1"] }],
    }),
    { header: 3, lines: [good(4, A), good(5, B)] },
  ],
  [
    "the header in line 20",
    workbook(sheet(...Array.from({ length: 19 }, (_, at) => [`说明 ${at}`]), ...rows)),
    { header: 20, lines: [good(21, A), good(22, B)] },
  ],
  [
    "the header in line 21",
    workbook(sheet(...Array.from({ length: 20 }, (_, at) => [`说明 ${at}`]), ...rows)),
    { refused: "没有找到" },
  ],
  [
    "a cover sheet before the list",
    workbook({
      sheets: [
        { name: "封面", rows: [["智能柜发货单"]] },
        { name: "清单", rows },
      ],
    }),
    { sheet: 1, lines: two },
  ],
  [
    "the summary of Numbers before the list",
    workbook({
      sheets: [
        {
          name: "导出摘要",
          rows: [
            ["本文稿是从 Numbers 表格导出的。"],
            ["Numbers 表格工作表名称", "Numbers 表格表格名称"],
          ],
        },
        { name: "工作表 1", rows: [["表格 1"], ...rows] },
      ],
    }),
    { sheet: 1, header: 2, lines: [good(3, A), good(4, B)] },
  ],
  [
    "two sheets with devices",
    workbook({
      sheets: [
        { name: "一月", rows },
        { name: "二月", rows },
      ],
    }),
    { isUncertain: true, lines: two },
  ],
  [
    "a hidden sheet with devices first",
    workbook({
      sheets: [
        { name: "旧", rows, state: "hidden" },
        { name: "新", rows: [TITLES, [C, M]] },
      ],
    }),
    { sheet: 1, lines: [good(2, C)] },
  ],
  [
    "a very hidden sheet first",
    workbook({
      sheets: [
        { name: "宏", rows, state: "veryHidden" },
        { name: "新", rows: [TITLES, [C, M]] },
      ],
    }),
    { sheet: 1, lines: [good(2, C)] },
  ],
  [
    "an empty sheet first",
    workbook({
      sheets: [
        { name: "空", rows: [] },
        { name: "单", rows },
      ],
    }),
    { sheet: 1, lines: two },
  ],
  [
    "the template's header without devices, then the list",
    workbook({
      sheets: [
        { name: "模板", rows: [TITLES] },
        { name: "单", rows },
      ],
    }),
    { sheet: 1, lines: two },
  ],
  [
    "a hidden row",
    workbook(
      sheet(TITLES, [A, M], { line: 3, cells: [B, M], isHidden: true }, { line: 4, cells: [C, M] }),
    ),
    { hidden: [3], lines: [good(2, A), [3, [B, M, "", ""], "?隐藏"], good(4, C)] },
  ],
  [
    "filtered rows",
    workbook({
      sheets: [
        {
          filter: "A1:B4",
          rows: [
            TITLES,
            { line: 2, cells: [A, M], isHidden: true },
            { line: 3, cells: [B, M], isHidden: true },
            { line: 4, cells: [C, M] },
          ],
        },
      ],
    }),
    {
      hidden: [2, 3],
      lines: [[2, [A, M, "", ""], "?筛选"], [3, [B, M, "", ""], "?筛选"], good(4, C)],
    },
  ],
  [
    "a hidden column",
    workbook({ sheets: [{ rows: [TITLES, [A, M, "B1"]], hiddenColumns: [2] }] }),
    { hiddenColumns: ["C"], lines: [good(2, A, "B1")] },
  ],
  [
    "merged models",
    workbook({ sheets: [{ rows: [TITLES, [A, M], [B, null], [C, M]], merges: ["B2:B3"] }] }),
    {
      lines: [
        [2, [A, M, "", ""], "!“型号”是合并单元格"],
        [3, [B, "", "", ""], "!“型号”是合并单元格"],
        good(4, C),
      ],
    },
  ],
  [
    "blank lines between",
    workbook(sheet(TITLES, [A, M], { line: 5, cells: [B, M] })),
    { total: 4, lines: [good(2, A), good(5, B)] },
  ],
  [
    "formatted lines without content behind",
    workbook({ sheets: [{ rows, tail: blankRows(4, 3000) }] }),
    { lines: two },
  ],
  [
    "a formatted cell in the last row of the sheet",
    workbook({ sheets: [{ rows, tail: '<row r="1048576"><c r="A1048576" s="1"/></row>' }] }),
    { lines: two },
  ],
  [
    "a device behind 20,008 formatted rows",
    workbook({
      sheets: [
        {
          rows,
          tail: `${blankRows(4, 20_011)}<row r="20012">${textCell("A20012", C)}${textCell("B20012", M)}</row>`,
        },
      ],
    }),
    { total: 20_011, lines: [...two, good(20_012, C)] },
  ],
  [
    "a device in the last row of the sheet",
    workbook({
      sheets: [
        {
          rows,
          tail: `<row r="1048576">${textCell("A1048576", C)}${textCell("B1048576", M)}</row>`,
        },
      ],
    }),
    { total: 1_048_575, lines: [...two, good(1_048_576, C)] },
  ],
  [
    "formulas dragged down that show nothing",
    workbook(sheet(...rows, [{ v: "", t: "str", f: "x" }], [{ v: "", t: "str", f: "x" }])),
    { lines: two },
  ],
  [
    "content beside the columns alone",
    workbook(sheet(["序号", ...TITLES], ["1", A, M], ["2"], ["3", B, M])),
    { total: 3, lines: [good(2, A), good(4, B)] },
  ],
  [
    "dates from 1904",
    workbook({
      is1904: true,
      sheets: [{ rows: [TITLES, [A, M, { v: dayNumber("2026-11-01") - 1462, format: 14 }]] }],
    }),
    { lines: [[2, [A, M, "2026/11/1", ""], "?日期格式"]] },
  ],
  [
    "a sheet with an ampersand in its name",
    workbook({ sheets: [{ name: "A&B", rows }] }),
    { lines: two },
  ],
  ["a remark of two lines", one(A, M, "", "一\n二"), { lines: [good(2, A, "", "一\n二")] }],
  [
    "a remark that looks like a tag",
    one(A, M, "", '<row r="1"/>'),
    { lines: [good(2, A, "", '<row r="1"/>')] },
  ],
  [
    "a remark with an escape of Excel",
    one(A, M, "", "a_x000D_b"),
    { lines: [good(2, A, "", "a\nb")] },
  ],
  [
    "an open quote is a text like others",
    one(A, M, "", '"24 寸屏'),
    { lines: [good(2, A, "", '"24 寸屏')] },
  ],
  [
    "a number as a remark",
    one(A, M, "", { v: 13_812_345_678 }),
    { lines: [[2, [A, M, "", "13812345678"], "?数字格式"]] },
  ],
  [
    "a time as a remark",
    one(A, M, "", { v: dayNumber("2026-11-21") + 0.5, format: 22 }),
    { lines: [[2, [A, M, "", "2026/11/21 12:00"], "?“备注”是日期"]] },
  ],
  [
    "an error in a column that is not imported",
    workbook(sheet([...TITLES, "合计"], [A, M, "", "", { v: "#REF!", t: "e" }])),
    { lines: [good(2, A)] },
  ],
  [
    "an .ods file",
    archive({ mimetype: "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<x/>" }),
    { refused: ".ods" },
  ],
  ["a Numbers file", archive({ "Index/Document.iwa": "x" }), { refused: "Numbers" }],
  [
    "an .xlsb file",
    archive({ "[Content_Types].xml": "<Types/>", "xl/workbook.bin": "x" }),
    { refused: ".xlsb" },
  ],
  ["any archive", archive({ "a.txt": "x" }), { refused: "已损坏" }],
  ["half a workbook", workbook(sheet(...rows)).slice(0, 700), { refused: "已损坏" }],
  ["an old workbook", bytesOf([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), { refused: "另存为 .xlsx" }],
  ["no content", workbook({ sheets: [{ rows: [] }] }), { refused: "文件里没有内容" }],
];

const shared = (cell: CellOf) =>
  cell && typeof cell === "object" && "t" in cell && cell.t === "s" ? ["共享的批次"] : [];

const rightOf = (line: RightLine): Case["right"] => ({ lines: [line] });

export const corpus: readonly Case[] = [
  ...shown.map(([name, cell, text, verdict]) => ({
    name: `batch: ${name}`,
    bytes: workbook({ shared: shared(cell), sheets: [{ rows: [TITLES, [A, M, cell]] }] }),
    right: rightOf([2, [A, M, text, ""], verdict]),
  })),
  ...refusedCells.map(([name, cell, why]) => ({
    name: `batch refused: ${name}`,
    bytes: one(A, M, cell),
    right: rightOf([2, [A, M], `!${why}`]),
  })),
  ...numbers.map(([name, cell, text, verdict]) => ({
    name: `number: ${name}`,
    bytes: one(cell, M),
    right: rightOf([2, [text, M, "", ""], verdict]),
  })),
  ...texts.map(([name, bytes, right]) => ({ name: `text file: ${name}`, bytes, right })),
  ...books.map(([name, bytes, right]) => ({ name: `workbook: ${name}`, bytes, right })),
];
