// Imports each file of the corpus as the console does: reader, place of the columns, lines, verdicts.
import { expect, it, test } from "vitest";
import {
  deviceColumns,
  judgeDevices,
} from "../../apps/console/src/features/equipment/device-stock/device-import.rules.ts";
import {
  accountText,
  guessPlace,
  judgedLines,
  missingColumns,
  readLines,
} from "../../apps/console/src/ui/import/import.rules.ts";
import { readWorkbook } from "../../apps/console/src/ui/sheet/read-workbook.ts";
import { corpus } from "./corpus.ts";

const MOST = 500;
const judge = judgeDevices([{ id: 1, name: "单面柜" }]);

async function imported(bytes: Uint8Array) {
  const file = await readWorkbook(bytes);
  const { place, isCertain } = guessPlace(file, deviceColumns);
  const missing = missingColumns(place, deviceColumns);
  if (missing.length > 0) {
    throw new Error(
      `没有找到${missing.map((name) => `“${deviceColumns[name].title}”`).join("、")}`,
    );
  }
  const read = readLines(file, place, deviceColumns, MOST);
  return { file, place, isCertain, read, lines: judgedLines(read, judge) };
}

test.each(corpus)("import: $name", async ({ bytes, right }) => {
  if ("refused" in right) {
    await expect(imported(bytes)).rejects.toThrow(right.refused);
    return;
  }
  const { file, place, isCertain, read, lines } = await imported(bytes);
  expect(lines.map(({ line }) => line)).toEqual(right.lines.map(([line]) => line));
  for (const [index, [, cells, verdict = ""]] of right.lines.entries()) {
    const { values, state, message } = lines[index] ?? {};
    expect(Object.values(values ?? {}).slice(0, cells.length)).toEqual(cells);
    const states = { "": "ready", "!": "bad", "?": "doubtful" };
    expect([state, message]).toEqual([
      states[verdict.slice(0, 1) as keyof typeof states],
      expect.stringContaining(verdict.slice(1)),
    ]);
  }
  const { total = lines.length, sheet = 0, header = 1, hidden = [], hiddenColumns = [] } = right;
  expect(read).toMatchObject({ total, empty: total - lines.length, hiddenLines: hidden });
  expect(place).toMatchObject({ sheet, header });
  expect(isCertain).toBe(!right.isUncertain);
  expect(file.sheets[sheet]?.hiddenColumns).toEqual(hiddenColumns);
  if (right.encoding) expect(file.encoding).toBe(right.encoding);
  // Each line of the file is in one part of the account.
  const [whole, ...parts] = (accountText(read, lines, false).match(/\d+/g) ?? []).map(Number);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole);
});

it("the corpus has at least 120 files", () => {
  expect(corpus.length).toBeGreaterThanOrEqual(120);
});
