// Finds the columns of an import in a file, reads its lines and accounts for each of them.
import { isRequired } from "@cabinet/contract/kit/field.rules.ts";
import { type LineVerdict, lineText } from "@cabinet/contract/kit/import.rules.ts";
import { judgeDrafts, type LineRules } from "@cabinet/contract/kit/judge-lines.rules.ts";
import type { TextFacts } from "@cabinet/contract/kit/text.rules.ts";
import type { TObject, TSchema } from "typebox";
import {
  MAX_SHEET_ROWS,
  type ReadFile,
  type ReadSheet,
  type SheetCell,
  type SheetRow,
} from "../sheet/sheet-rows.rules.ts";

/** Column of an import as its noun declares it. */
export interface ImportColumn {
  title: string;
  /** Titles in other people's files, beside the own one. */
  aliases?: readonly string[];
  isRequired?: boolean;
  /**
   * Default: the shown text. `code`: whole numbers alone, if it is one. `phone`: a number without doubt, no zero is in front.
   * `number`: the value counts, not its format.
   */
  form?: "code" | "number" | "phone";
  /** Width in the files, in characters. */
  width?: number;
}
export type ImportColumns<Name extends string> = Readonly<Record<Name, ImportColumn>>;
export type ImportValues<Name extends string> = Readonly<Record<Name, string>>;

/** Where the lines of an import are: sheet, line of the header, index of each column. */
export interface ImportPlace<Name extends string> {
  sheet: number;
  header: number;
  columns: ReadonlyMap<Name, number>;
}

/** Columns of a noun whose lines become drafts of this schema; `own`: what a schema does not say. */
export function columnsOfSchema<Name extends string>(
  schema: TObject<Record<Name, TSchema>>,
  own: Readonly<Record<Name, Pick<ImportColumn, "aliases" | "form" | "width">>>,
): ImportColumns<Name> {
  const columns = (Object.keys(own) as Name[]).map((name) => {
    const { title = name, ...facts } = schema.properties[name] as TextFacts & { title?: string };
    const isNumber = [facts.type].flat().includes("number");
    const form = isNumber ? "number" : facts["x-phone"] ? "phone" : undefined;
    const column = { title, isRequired: isRequired(schema, name), ...(form && { form }) };
    return [name, { ...column, ...own[name] }] as const;
  });
  return Object.fromEntries(columns) as Record<Name, ImportColumn>;
}

/** Judges lines as drafts of the noun's schema. */
export function judgeBy<Schema extends TObject, Name extends string>(
  rules: LineRules<Schema>,
): Judge<Name> {
  return (lines) =>
    judgeDrafts(lines, ({ values }) => values, rules).map(({ line, result, message, draft }) => {
      const texts = Object.entries(Object(draft)).map(([name, value]) => [
        name,
        String(value ?? ""),
      ]);
      return { line, result, message, values: Object.fromEntries(texts) as ImportValues<Name> };
    });
}

export interface ReadLine<Name extends string> {
  line: number;
  values: ImportValues<Name>;
  /** The line cannot be read; the sentence names the cause. */
  problem: string | null;
  /** The line can be read, but a person should compare it with the file. */
  doubt: string | null;
}

export interface ReadLines<Name extends string> {
  lines: readonly ReadLine<Name>[];
  /** Lines below the header up to the last one with content. */
  total: number;
  /** Lines without content in the chosen columns. */
  empty: number;
  hiddenLines: readonly number[];
}

export type LineState = "ready" | "doubtful" | "done" | "bad";

export interface JudgedLine<Name extends string> {
  line: number;
  values: ImportValues<Name>;
  state: LineState;
  /** `有误`, `重复` … */
  label: string;
  message: string;
}

/** Lines above and in which a header may be. */
const HEADER_LINES = 20;

const namesOf = <Name extends string>(columns: ImportColumns<Name>) =>
  Object.keys(columns) as Name[];

/** Title without what people add to it: `型号 *`, `型号（必填）`. */
function plainTitle(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .trim()
    .replace(/[\s*(].*$/s, "")
    .toLowerCase();
}

/** Titles that a person has chosen before for a column. */
export type KnownTitles<Name extends string> = Readonly<Record<string, Name>>;

function columnsOf<Name extends string>(
  row: SheetRow,
  columns: ImportColumns<Name>,
  known: KnownTitles<Name>,
): ImportPlace<Name>["columns"] {
  const titles = row.cells.map(({ text }) => plainTitle(text));
  const found = namesOf(columns).flatMap((name) => {
    const { title, aliases = [] } = columns[name];
    const own = Object.keys(known).filter((each) => known[each] === name);
    const wanted = [...own, plainTitle(title), ...aliases.map(plainTitle)];
    const hit = wanted.find((each) => titles.includes(each) && (known[each] ?? name) === name);
    return hit === undefined ? [] : [[name, titles.indexOf(hit)] as const];
  });
  return new Map(found);
}

/** Required columns that nobody has found or chosen. */
export function missingColumns<Name extends string>(
  place: ImportPlace<Name>,
  columns: ImportColumns<Name>,
): Name[] {
  return namesOf(columns).filter((name) => columns[name].isRequired && !place.columns.has(name));
}

const nowhere = <Name extends string>(): ImportPlace<Name> => {
  return { sheet: 0, header: 1, columns: new Map() };
};

/** Looks for the titles in the first lines of all visible sheets; `isCertain`: nobody has to look. */
export function guessPlace<Name extends string>(
  { sheets }: ReadFile,
  columns: ImportColumns<Name>,
  known: KnownTitles<Name> = {},
): { place: ImportPlace<Name>; isCertain: boolean } {
  const places = sheets.flatMap(({ isHidden, rows }, sheet) =>
    rows.slice(0, HEADER_LINES).map((row) => {
      const place = { sheet, header: row.line, columns: columnsOf(row, columns, known) };
      const isWhole = missingColumns(place, columns).length === 0;
      const hasLines = (rows.at(-1)?.line ?? 0) > row.line;
      const score = place.columns.size + (isWhole ? 100 : 0) + (hasLines ? 50 : 0);
      return { place, isWhole, score: isHidden ? 0 : score };
    }),
  );
  const first = { place: nowhere<Name>(), isWhole: false, score: 0 };
  const best = places.reduce((a, b) => (b.score > a.score ? b : a), places[0] ?? first);
  const isOnly = places.every(
    ({ isWhole, score, place }) => !isWhole || score < 150 || place.sheet === best.place.sheet,
  );
  return { place: best.place, isCertain: best.isWhole && isOnly };
}

/** The place with another sheet or header line; its columns are looked for again. */
export function movedPlace<Name extends string>(
  file: ReadFile,
  { sheet, header }: { sheet: number; header?: number },
  columns: ImportColumns<Name>,
  known: KnownTitles<Name>,
): ImportPlace<Name> {
  const chosen = file.sheets[sheet];
  if (!chosen) return nowhere();
  const shown = { ...chosen, isHidden: false };
  if (header === undefined) {
    return { ...guessPlace({ ...file, sheets: [shown] }, columns, known).place, sheet };
  }
  const row = rowAt(chosen, header);
  return { sheet, header, columns: row ? columnsOf(row, columns, known) : new Map() };
}

const rowAt = ({ rows }: ReadSheet, line: number) => rows.find((row) => row.line === line);

/** Titles of the file that a person gave to a column, for the next file. */
export function titlesOf<Name extends string>(
  { sheets }: ReadFile,
  { sheet, header, columns }: ImportPlace<Name>,
): KnownTitles<Name> {
  const chosen = sheets[sheet];
  const row = chosen && rowAt(chosen, header);
  const pairs = [...columns].flatMap(([name, index]) => {
    const title = plainTitle(row?.cells[index]?.text ?? "");
    return title === "" ? [] : [[title, name] as const];
  });
  return Object.fromEntries(pairs);
}

/** Spreadsheets keep at most this many significant digits of a numeric cell. */
const MAX_EXACT_DIGITS = 15;
/** Long numbers as spreadsheet programs shorten them in text files. */
const SCIENTIFIC = /^\d(?:\.\d+)?E\+\d+$/i;

function cellProblem({ title, form }: ImportColumn, cell: SheetCell): string | null {
  const { text, kind, isMerged, number } = cell;
  if (isMerged) return `“${title}”是合并单元格，请取消合并后逐行填写`;
  if (kind === "error") {
    return text === ""
      ? `“${title}”是没有结果的公式，请在表格软件中打开并保存后再导入`
      : `“${title}”是错误值 ${text}，请改正`;
  }
  if (form === "number") return null;
  const isLong = Number.isInteger(number) && !/^-?\d{1,15}$/.test(String(number));
  const isNoCode = form === "code" && number !== undefined && !Number.isInteger(number);
  if (isLong || isNoCode || SCIENTIFIC.test(text)) {
    return `“${title}”是数字格式，超过 ${MAX_EXACT_DIGITS} 位的数字已失真，请把该列设为“文本”后重新填写`;
  }
  return null;
}

function cellDoubt({ title, form }: ImportColumn, { text, kind }: SheetCell): string | null {
  if (form === "number") return null;
  if (kind === "date") return `“${title}”是日期格式，将按显示的“${text}”导入，请核对`;
  return form !== "phone" && kind === "number"
    ? `“${title}”是数字格式：如以 0 开头，前面的 0 已丢失，请核对`
    : null;
}

const HIDDEN_DOUBT = "这一行在表格里是隐藏的（或被筛选掉），也会导入";

/** Throws an error with a Chinese message when the file as a whole is unusable. */
export function readLines<Name extends string>(
  { sheets }: ReadFile,
  place: ImportPlace<Name>,
  columns: ImportColumns<Name>,
  most: number,
): ReadLines<Name> {
  const names = namesOf(columns);
  const { rows = [] } = sheets[place.sheet] ?? {};
  const body = rows.filter(({ line }) => line > place.header);
  const lines = body.flatMap((row): ReadLine<Name>[] => {
    const used = names.flatMap((name) => {
      const index = place.columns.get(name);
      const cell = index === undefined ? undefined : row.cells[index];
      return cell ? [{ name, cell, column: columns[name] }] : [];
    });
    const isFilled = used.some(({ cell }) => cell.text.trim() !== "" || cell.kind === "error");
    if (!isFilled && !row.problem) return [];
    const values = Object.fromEntries(names.map((name) => [name, ""])) as Record<Name, string>;
    for (const { name, cell, column } of used) {
      const isPlain = column.form === "number" && cell.number !== undefined;
      values[name] = isPlain ? String(cell.number) : cell.text;
    }
    const problems = used.flatMap(({ cell, column }) => cellProblem(column, cell) ?? []);
    const doubts = used.flatMap(({ cell, column }) => cellDoubt(column, cell) ?? []);
    if (row.isHidden) doubts.push(HIDDEN_DOUBT);
    if (row.doubt) doubts.push(row.doubt);
    return [
      {
        line: row.line,
        values,
        problem: row.problem ?? problems[0] ?? null,
        doubt: doubts.join("；") || null,
      },
    ];
  });
  if (lines.length === 0) throw new Error("只有表头，没有内容：请从表头的下一行起每行填写一条");
  if (lines.length > most) {
    const isCut = rows.length >= MAX_SHEET_ROWS;
    throw new Error(
      `一次最多导入 ${most} 行，文件里有 ${isCut ? `${MAX_SHEET_ROWS} 行以上` : `${lines.length} 行`}，请拆分成多个文件`,
    );
  }
  const total = (body.at(-1)?.line ?? place.header) - place.header;
  const hiddenLines = body.filter(({ isHidden }) => isHidden).map(({ line }) => line);
  return { lines, total, empty: total - lines.length, hiddenLines };
}

/** A verdict of the noun; `values` as they will be stored. */
export type OwnVerdict<Name extends string> = LineVerdict & { values?: ImportValues<Name> };
export type Judge<Name extends string> = (
  lines: readonly Pick<ReadLine<Name>, "line" | "values">[],
) => readonly OwnVerdict<Name>[];

/** The lines with what their cells and the noun say about them. */
export function judgedLines<Name extends string>(
  { lines }: ReadLines<Name>,
  judge: Judge<Name>,
): JudgedLine<Name>[] {
  const readable = lines.filter(({ problem }) => problem === null);
  const verdicts = new Map(judge(readable).map((verdict) => [verdict.line, verdict]));
  return lines.map(({ line, values, problem, doubt }) => {
    const verdict = verdicts.get(line);
    const { result = "INVALID", message = problem ?? "" } = verdict ?? {};
    const own = { line, values: verdict?.values ?? values };
    if (result !== "READY") return { ...own, state: "bad", label: lineText[result], message };
    if (doubt) return { ...own, state: "doubtful", label: "需核对", message: doubt };
    return { ...own, state: "ready", label: lineText.READY, message };
  });
}

const ORDER: Record<LineState, number> = { bad: 0, doubtful: 1, ready: 2, done: 2 };

/** Bad lines first, then doubtful ones, each in the order of the file. */
export function worstFirst<Line extends JudgedLine<string>>(lines: readonly Line[]): Line[] {
  return lines.toSorted((a, b) => ORDER[a.state] - ORDER[b.state] || a.line - b.line);
}

/** `文件 30 行 = 导入 27 + 有误 2 + 空 1`: each line of the file is in one of them. */
export function accountText(
  { total, empty }: Pick<ReadLines<string>, "total" | "empty">,
  lines: readonly JudgedLine<string>[],
  isDone: boolean,
): string {
  const count = (...states: LineState[]) =>
    lines.filter(({ state }) => states.includes(state)).length;
  const open = count("ready", "doubtful");
  const parts = [
    isDone ? `导入 ${count("done")}` : `可导入 ${open}`,
    `有误 ${count("bad")}`,
    ...(isDone && open > 0 ? [`未导入 ${open}`] : []),
    `空 ${empty}`,
  ];
  return `文件 ${total} 行 = ${parts.join(" + ")}`;
}
