// Compares JSON with a TypeScript type, as if it had been written in a source file: unknown names, wrong values, missing fields.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "../..");

/** `name`: file of tests/types whose type `Value` it must have. Returns the compiler's complaints. */
export function typeErrorsOf(value: unknown, name: "grafana" | "kubernetes"): string[] {
  // In the repository, so that its packages are found.
  const folder = path.join(root, ".cache", `typed-${randomBytes(4).toString("hex")}`);
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "value.ts");
  const imported = `import type { Value } from "../../tests/types/${name}.ts";`;
  const literal = JSON.stringify(value, null, 1);
  writeFileSync(file, `${imported}\nexport const value: Value = ${literal};\n`);
  const tsc = path.join(root, "node_modules/.bin/tsc");
  const options = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--pretty", "false"];
  const resolution = ["--module", "esnext", "--moduleResolution", "bundler", "--types", ""];
  resolution.push("--allowImportingTsExtensions");
  const { stdout, status } = spawnSync(tsc, [...options, ...resolution, file], {
    cwd: folder,
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  const errors = stdout.split("\n").filter((line) => line.includes("error TS"));
  if (status !== 0 && errors.length === 0) throw new Error(`tsc: ${stdout}`);
  return errors.map((line) => line.replace(/^.*error TS\d+: /, ""));
}
