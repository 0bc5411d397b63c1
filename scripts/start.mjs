// Implements `npm start`: installs what is missing, then runs the server until a stop signal.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureAll } from "./ensure-all.mjs";
import { root, StepFailed } from "./run-step.mjs";

const FORCE_STOP_MS = 30_000;
const PARENT_CHECK_MS = 500;

try {
  runServer(await ensureAll());
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

// The server is detached from the terminal: npm forwards Ctrl-C a second time, and the server must
// get one signal only. It stops when the IPC channel closes, which covers kill -9 of this process.
function runServer(node) {
  console.log("正在启动服务…");
  const server = spawn(node, ["apps/server/src/main.ts", ...process.argv.slice(2)], {
    cwd: root,
    env: { NODE_COMPILE_CACHE: join(root, ".cache/node"), ...process.env },
    detached: true,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    server.kill("SIGTERM");
    setTimeout(() => server.kill("SIGKILL"), FORCE_STOP_MS).unref();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  if (process.env.npm_lifecycle_event) stopWithNpm(stop);
  server.on("exit", (code) => process.exit(code ?? 1));
}

/** npm killed with -9 sends no signal: detect it by the changed parent process id. */
function stopWithNpm(stop) {
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) stop();
  }, PARENT_CHECK_MS).unref();
}
