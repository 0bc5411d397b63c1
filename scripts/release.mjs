// Implements `npm run release`: installs what is missing, then builds the archive with the product's Node.
import { spawnSync } from "node:child_process";
import { ensureAll } from "./ensure-all.mjs";
import { root, StepFailed } from "./run-step.mjs";

try {
  const node = await ensureAll();
  const args = ["--disable-warning=ExperimentalWarning", "scripts/build-release.mjs"];
  args.push(...process.argv.slice(2));
  process.exitCode = spawnSync(node, args, { cwd: root, stdio: "inherit" }).status ?? 1;
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
