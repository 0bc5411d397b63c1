// Figures and their goals: median and percentiles, comparison with the goal, terminal table.

export interface Figure {
  part: string;
  name: string;
  value: number;
  unit: string;
  goal?: { atMost: number } | { atLeast: number };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Undefined without a goal. */
export function isMet({ value, goal }: Figure): boolean | undefined {
  if (!goal) return undefined;
  return "atMost" in goal ? value <= goal.atMost : value >= goal.atLeast;
}

const number = new Intl.NumberFormat("zh-CN", { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat("zh-CN", { maximumFractionDigits: 0 });

function valueText(value: number, unit: string): string {
  return `${(value >= 100 ? whole : number).format(value)} ${unit}`.trim();
}

function goalText({ goal, unit }: Figure): string {
  if (!goal) return "";
  return "atMost" in goal
    ? `≤ ${valueText(goal.atMost, unit)}`
    : `≥ ${valueText(goal.atLeast, unit)}`;
}

/** Formats a table for a terminal, where a Chinese character is two columns wide. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const met = isMet(figure);
    return [
      figure.name,
      valueText(figure.value, figure.unit),
      goalText(figure),
      met === undefined ? "" : met ? "达到" : "未达到",
    ];
  });
  const all = [["指标", "结果", "目标", ""], ...rows];
  const widths = [0, 1, 2].map((column) =>
    Math.max(...all.map((row) => widthOf(row[column] ?? ""))),
  );
  const line = ([name = "", value = "", goal = "", met = ""]: string[]) =>
    [padEnd(name, widths[0]), padStart(value, widths[1]), padStart(goal, widths[2]), met].join(
      "  ",
    );
  const lines = [line(all[0] ?? [])];
  for (const [index, row] of rows.entries()) {
    const { part } = figures[index] as Figure;
    if (part !== figures[index - 1]?.part) lines.push("", part);
    lines.push(line(row));
  }
  return lines.join("\n");
}

function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (character > "\u2e80" ? 2 : 1), 0);
}

function padEnd(text: string, width = 0): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

function padStart(text: string, width = 0): string {
  return " ".repeat(Math.max(0, width - widthOf(text))) + text;
}
