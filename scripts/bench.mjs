// The bench command: brings what is missing, then measures.
import { spawn } from "node:child_process";
import { ensureChromium } from "./ensure-chromium.mjs";
import { ensureConsole } from "./ensure-console.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensureNodeModules } from "./ensure-node-modules.mjs";
import { root, StepFailed } from "./run-step.mjs";

try {
  await ensureNodeModules();
  const node = ensureNode();
  process.env.CHROMIUM_PATH = await ensureChromium();
  await ensureConsole();
  const bench = spawn(node, ["bench/main.ts"], { cwd: root, stdio: "inherit" });
  bench.on("exit", (code) => process.exit(code ?? 1));
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
