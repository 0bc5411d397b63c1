// Runs one step of a script with progress lines; prints the step's own output only on failure.
import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const STILL_RUNNING_MS = 10_000;

/** A failure that is reported to the user as one sentence without a stack trace. */
export class StepFailed extends Error {}

/** Runs a command in the project folder. Throws StepFailed with `advice` unless it exits with 0. */
export async function runStep({ title, command, args, env = {}, advice }) {
  console.log(`${title}…`);
  const startedAt = Date.now();
  const stillRunning = setInterval(() => {
    console.log(`  仍在进行，已用 ${Math.round((Date.now() - startedAt) / 1000)} 秒…`);
  }, STILL_RUNNING_MS);
  const { code, output } = await collectOutput(command, args, env);
  clearInterval(stillRunning);
  if (code !== 0) {
    console.error(output.trim());
    throw new StepFailed(`${title}失败。${advice}`);
  }
}

function collectOutput(command, args, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.on("error", (error) => resolve({ code: 1, output: error.message }));
    child.on("close", (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  });
}
