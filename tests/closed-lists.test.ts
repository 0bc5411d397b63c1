// Closed-list check: a choice between two values by a list of two is caught where it is planted.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = path.join(import.meta.dirname, "..");
const { findChoices } = await import(path.join(root, "scripts/check-closed-lists.mjs"));

const PLANTED = `
type Carrier = "ALIYUN" | "TENCENT";
type Item = "PRESENT" | "EMPTY" | "UNKNOWN";
declare const carrier: Carrier;
declare const maybe: Carrier | null;
declare const item: Item;
declare const text: string;
declare function send(): string;
export const name = carrier === "ALIYUN" ? "aliyun" : "tencent";
export const price = carrier !== "TENCENT" ? 4 : 5;
export function host(row: { carrier: Carrier }) {
  if (row.carrier === "ALIYUN") return text + ".one";
  return text + ".two";
}
export function narrowed() {
  if (item === "UNKNOWN") return null;
  return item === "EMPTY" ? "FREE" : "OCCUPIED";
}
export const byMap = { ALIYUN: "aliyun", TENCENT: "tencent" }[carrier];
export const nothing = carrier === "ALIYUN" ? text : "";
export const ofThree = item === "EMPTY" ? "DEPOSITING" : "STORED";
export const ofMaybe = maybe === "ALIYUN" ? "a" : "b";
export const open = text === "ALIYUN" ? "a" : "b";
export const called = carrier === "ALIYUN" ? send() : "b";
`;

test("choice by a list of two: ternary, early return and narrowed list are reported, tests for one member pass", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "closed-lists-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const config = path.join(folder, "tsconfig.json");
  await writeFile(config, JSON.stringify({ compilerOptions: { strict: true }, include: ["*.ts"] }));
  await writeFile(path.join(folder, "planted.ts"), PLANTED);
  const found = findChoices(config, (file: string) => file.startsWith(folder));
  expect(found.map(({ line }: { line: number }) => PLANTED.split("\n")[line - 1]?.trim())).toEqual([
    'export const name = carrier === "ALIYUN" ? "aliyun" : "tencent";',
    'export const price = carrier !== "TENCENT" ? 4 : 5;',
    'if (row.carrier === "ALIYUN") return text + ".one";',
    'return item === "EMPTY" ? "FREE" : "OCCUPIED";',
  ]);
});
