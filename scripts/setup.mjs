// Implements `npm run setup`: prepares a start without starting, to keep update downtime short.
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
