// Parses delimited text: its encoding, its delimiter, and quotes that nobody closed.
import { MAX_SHEET_ROWS, type ReadFile, type SheetRow } from "./sheet-rows.rules.ts";

const NOT_TEXT = "文件打不开：只支持 .xlsx 和 .csv 文件";
const BROKEN = "\ufffd";
/** The wide ones are what a Chinese input method types. */
const DELIMITERS = [",", "\t", ";", "|", "，", "；"];
/** Lines that decide about the delimiter. */
const SAMPLE = 20;
/** A part of the text decides about its encoding. */
const JUDGED_BYTES = 200_000;

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
const decode = (bytes: Uint8Array, encoding: string) => new TextDecoder(encoding).decode(bytes);

/** UTF-16 without a mark: the higher byte of ASCII is 0. */
function bareUtf16(bytes: Uint8Array): string | null {
  const zeros = [0, 0];
  for (const [at, byte] of bytes.entries())
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0) return null;
  if (odd > 10 * even) return "utf-16le";
  if (even > 10 * odd) return "utf-16be";
  throw new Error(NOT_TEXT);
}

/** A broken byte does not make a text one of another encoding: the reading with fewer broken characters counts. */
function encodingOf(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  const sample = bytes.subarray(0, JUDGED_BYTES);
  const wide = bareUtf16(sample);
  if (wide) return wide;
  const asUtf8 = decode(sample, "utf-8");
  const broken = count(asUtf8, /\ufffd/g);
  if (broken === 0) return "utf-8";
  // Chinese in GB18030 is almost never valid UTF-8.
  return count(asUtf8, /[^\0-\x7f\ufffd]/g) > broken ? "utf-8" : "gb18030";
}

const encodingText: Record<string, string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  gb18030: "GB18030",
};

/** The delimiter that most lines have the same number of times. */
function delimiterOf(text: string): string {
  const lines = text.split(/\r\n?|\n/, SAMPLE).map((line) => line.replace(/"[^"]*"/g, ""));
  let best = { delimiter: ",", score: 0 };
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => line.split(delimiter).length - 1).filter((n) => n > 0);
    const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
    const score = counts.filter((n) => n === usual).length * 1000 + usual;
    if (counts.length > 0 && score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

interface Field {
  text: string;
  /** Where the next field or line begins. */
  end: number;
  isOpen: boolean;
}

/** A quoted field ends with a quote before a delimiter, a line break or the end; otherwise nobody closed it. */
function quotedField(text: string, start: number, delimiter: string): Field {
  let field = "";
  for (let at = start + 1; ; ) {
    const close = text.indexOf('"', at);
    if (close < 0) return { text: field, end: text.length, isOpen: true };
    field += text.slice(at, close);
    if (text[close + 1] !== '"') {
      let end = close + 1;
      while (text[end] === " ") end += 1;
      const next = text[end] ?? "\n";
      return { text: field, end, isOpen: next !== "\n" && next !== "\r" && next !== delimiter };
    }
    field += '"';
    at = close + 2;
  }
}

const endOfLine = (text: string, start: number) => {
  const length = text.slice(start).search(/[\r\n]/);
  return length < 0 ? text.length : start + length;
};

interface Row {
  fields: string[];
  end: number;
  problem?: string;
  doubt?: string;
}

function rowAt(text: string, start: number, line: number, delimiter: string): Row {
  const fields: string[] = [];
  for (let at = start; ; ) {
    if (text[at] === '"') {
      const { text: field, end, isOpen } = quotedField(text, at, delimiter);
      if (isOpen) {
        // Only this line is lost: the next one begins where the person began it.
        const stop = endOfLine(text, start);
        const rest = text.slice(start, stop).split(delimiter);
        return {
          fields: rest,
          end: stop,
          problem: `第 ${line} 行的引号没有成对，请补上或删除引号`,
        };
      }
      fields.push(field);
      at = end;
    } else {
      const stop = endOfLine(text, at);
      const next = text.indexOf(delimiter, at);
      const end = next < 0 || next > stop ? stop : next;
      fields.push(text.slice(at, end));
      at = end;
    }
    if (text[at] !== delimiter) {
      const isSwallowed = fields.some((field) =>
        field.split(/\r\n?|\n/).some((each, index) => index > 0 && each.includes(delimiter)),
      );
      return {
        fields,
        end: at,
        ...(isSwallowed && { doubt: "引号里有多行内容：请核对下一行没有并入这一行" }),
      };
    }
    at += 1;
  }
}

/** Reads a text file as one sheet; empty lines count but are not returned. */
export function readCsv(bytes: Uint8Array): ReadFile {
  const encoding = encodingOf(bytes);
  const whole = decode(bytes, encoding);
  if (whole.includes("\0")) throw new Error(NOT_TEXT);
  const [hint = "", named] = /^sep=(.)?(?:\r\n?|\n|$)/i.exec(whole) ?? [];
  const text = whole.slice(hint.length);
  const delimiter = named ?? delimiterOf(text);
  const rows: SheetRow[] = [];
  let line = hint ? 1 : 0;
  for (let at = 0; at < text.length; ) {
    line += 1;
    const { fields, end, problem, doubt } = rowAt(text, at, line, delimiter);
    at = end + (text.startsWith("\r\n", end) ? 2 : 1);
    if (fields.every((field) => field.trim() === "")) continue;
    if (rows.length >= MAX_SHEET_ROWS) break;
    const isBroken = fields.some((field) => field.includes(BROKEN));
    const odd =
      problem ??
      (isBroken
        ? `第 ${line} 行有无法识别的字符（${encodingText[encoding]} 编码），请改正后重新保存`
        : undefined);
    rows.push({
      line,
      cells: fields.map((field) => ({ text: field, kind: "text" })),
      ...(odd && { problem: odd }),
      ...(doubt && { doubt }),
    });
  }
  const sheet = { name: "", isHidden: false, rows, hiddenColumns: [] };
  return { sheets: [sheet], encoding: encodingText[encoding] ?? encoding };
}
