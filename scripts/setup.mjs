// The setup command: all that a start would do first, and no start, so that the service stops only for seconds.
import { ensureAll } from "./ensure-all.mjs";
import { StepFailed } from "./run-step.mjs";

try {
  await ensureAll();
  console.log("已准备好，可以启动（npm start）");
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
