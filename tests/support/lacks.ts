// Tests that need something which a machine may not have: the run names at its end what was skipped, and why.
import { appendFileSync } from "node:fs";

/**
 * Whether to skip `tests`, given what this machine lacks for them (`null`, `false` or `undefined`: nothing). The run
 * prints both in one line.
 */
export function lacks(tests: string, missing: string | false | null | undefined): boolean {
  if (!missing) return false;
  const file = process.env.SKIPPED_TESTS_FILE;
  if (file) appendFileSync(file, `${tests}：${missing}\n`);
  return true;
}
