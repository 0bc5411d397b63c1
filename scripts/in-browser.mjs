// Implements `npm run bench` and `npm run pictures`: installs what is missing, then runs the program in the first argument.
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
  const program = spawn(node, process.argv.slice(2), { cwd: root, stdio: "inherit" });
  // Ctrl-C also reaches the program, which cleans up and exits; wait for it.
  process.on("SIGINT", () => {});
  program.on("exit", (code) => process.exit(code ?? 1));
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
