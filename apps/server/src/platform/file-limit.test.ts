// The limit of open files is compared with the number of cabinets.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { fileLimit, fileLimitWarning } from "./file-limit.ts";

test("file limit: is that of the process, which a shell inherits", () => {
  const inherited = execFileSync("sh", ["-c", "ulimit -S -n"], { encoding: "utf8" }).trim();
  expect(String(fileLimit())).toBe(inherited === "unlimited" ? "Infinity" : inherited);
});

test("file limit: too small a one is named with the one that is needed", () => {
  expect(fileLimitWarning(5_000, 4_096)).toMatch(/文件上限 4096 不够：5000 台.*不小于 6000/);
  expect(fileLimitWarning(3_000, 4_096)).toBeNull();
  expect(fileLimitWarning(5_000, null)).toBeNull();
});
