// Implements `npm run bench`: installs what is missing, then measures the real server and console.
import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { ensureChromium } from "./ensure-chromium.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensureNodeModules } from "./ensure-node-modules.mjs";
import { ensurePages } from "./ensure-pages.mjs";
import { root, StepFailed } from "./run-step.mjs";

try {
  await ensureNodeModules();
  const node = ensureNode();
  process.env.PATH = join(root, "node_modules/.bin") + delimiter + process.env.PATH;
  process.env.CHROMIUM_PATH = await ensureChromium();
  await ensurePages();
  const args = ["bench/main.ts", ...process.argv.slice(2)];
  const bench = spawn(node, args, { cwd: root, stdio: "inherit" });
  // Ctrl-C also reaches the bench process, which cleans up and exits; wait for it.
  process.on("SIGINT", () => {});
  bench.on("exit", (code) => process.exit(code ?? 1));
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
