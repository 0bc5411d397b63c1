// Pure rules of the stock of new devices: states, and validation of import rows.
import type { LineResult, LineVerdict } from "../../kit/import.rules.ts";
import { cleanProse, fittingCode, isScientific, plainForm } from "../../kit/text.rules.ts";
import { SN_PATTERN } from "../../vocabulary/hardware.rules.ts";

export const STOCK_STATES = ["IN_STOCK", "ASSIGNED", "ACTIVATED", "SCRAPPED"] as const;
export type StockState = (typeof STOCK_STATES)[number];

export const stockStateText: Record<StockState, string> = {
  IN_STOCK: "在库",
  ASSIGNED: "已分配",
  ACTIVATED: "已激活",
  SCRAPPED: "已报废",
};

/**
 * State of the activation code. CLAIMED: a secret was handed out, but the cabinet has not
 * connected with it yet.
 */
export const CODE_STATES = ["NONE", "VALID", "EXPIRED", "CLAIMED", "USED"] as const;
export type CodeState = (typeof CODE_STATES)[number];

export const codeStateText: Record<CodeState, string> = {
  NONE: "无，需重新生成",
  VALID: "有效",
  EXPIRED: "已过期",
  CLAIMED: "已领取，待连接",
  USED: "已使用",
};

export const STOCK_EVENT_KINDS = [
  "IMPORTED",
  "CHANGED",
  "ASSIGNED",
  "RECALLED",
  "CODE_RENEWED",
  "SCRAPPED",
  "ACTIVATED",
  "ACTIVATED_AGAIN",
  "ACTIVATION_REFUSED",
] as const;
export type StockEventKind = (typeof STOCK_EVENT_KINDS)[number];

export const stockEventText: Record<StockEventKind, string> = {
  IMPORTED: "登记入库",
  CHANGED: "修改信息",
  ASSIGNED: "分配租户",
  RECALLED: "收回",
  CODE_RENEWED: "重新生成激活码",
  SCRAPPED: "报废",
  ACTIVATED: "激活",
  ACTIVATED_AGAIN: "再次领取密钥",
  ACTIVATION_REFUSED: "激活被拒绝",
};

export const CODE_VALID_DAYS = 90;
export const MAX_IMPORT_LINES = 500;
const MAX_BATCH = 40;
const MAX_REMARK = 200;

const snPattern = new RegExp(SN_PATTERN);

/** The number as its field takes it (0147): wide, grouped and lower-case ones too, without anything unseen. */
export function normalizeSn(text: string): string {
  const sn = fittingCode(text, snPattern);
  return snPattern.test(sn) ? sn : plainForm(text).toUpperCase();
}

/** Plain form with single blanks; keeps the case. */
export function normalizeText(text: string): string {
  return plainForm(text).replace(/\s+/g, " ");
}

/** Problem of a 设备编号 from an import, in Chinese; null when there is none. */
export function snProblem(sn: string): string | null {
  if (sn === "") return "设备编号为空";
  if (isScientific(sn)) {
    return "编号被表格软件改成了科学计数法，请把该列设为“文本”后重新填写";
  }
  if (sn.length < 8) return `编号只有 ${sn.length} 位，应为 8–32 位`;
  if (sn.length > 32) return `编号有 ${sn.length} 位，应为 8–32 位`;
  const wrong = /[^A-Z0-9]/u.exec(sn)?.[0];
  if (wrong === undefined) return null;
  return /\s/.test(wrong) ? "编号中间有空格，请删除" : `编号含有“${wrong}”，只能是大写字母和数字`;
}

/** Row of a spreadsheet as read. */
export interface StockLine {
  /** Row number in the file, from 1. */
  line: number;
  sn: string;
  model: string;
  batch: string;
  remark: string;
}

export interface StockVerdict extends LineVerdict {
  sn: string;
}

export interface KnownThings<Model> {
  /** Models by normalised name. */
  models: ReadonlyMap<string, Model>;
  /** Numbers that are taken, with the reason. */
  taken: ReadonlyMap<string, string>;
}

function lineProblem<Model>(line: StockLine, known: KnownThings<Model>): string | null {
  const problem = snProblem(line.sn);
  if (problem) return problem;
  if (line.model === "") return "型号为空";
  if (!known.models.has(line.model)) return `没有型号“${line.model}”，请先在“设备型号”中新增或改正`;
  if (line.batch.length > MAX_BATCH) return `批次最多 ${MAX_BATCH} 个字`;
  if (line.remark.length > MAX_REMARK) return `备注最多 ${MAX_REMARK} 个字`;
  return null;
}

/** Validates each row by itself and against the others; the first of two equal rows is valid. */
export function judgeLines<Model>(
  lines: readonly StockLine[],
  known: KnownThings<Model>,
): (StockVerdict & { given: StockLine })[] {
  const seen = new Map<string, number>();
  return lines.map((raw) => {
    const given = {
      line: raw.line,
      sn: normalizeSn(raw.sn),
      model: normalizeText(raw.model),
      batch: normalizeText(raw.batch),
      remark: cleanProse(raw.remark),
    };
    const { line, sn } = given;
    const verdict = (result: LineResult, message: string) => ({ given, line, sn, result, message });
    const problem = lineProblem(given, known);
    if (problem) return verdict("INVALID", problem);
    const first = seen.get(sn);
    if (first !== undefined) return verdict("DUPLICATE", `与第 ${first} 行的编号重复`);
    seen.set(sn, line);
    const taken = known.taken.get(sn);
    if (taken) return verdict("EXISTS", taken);
    return verdict("READY", "可导入");
  });
}
