// Runs a command of `./storage` on the database and data folder of a test server.
import { spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { TestServer } from "./test-server.ts";

const root = path.join(import.meta.dirname, "../..");

/** Types `input`; relative paths are of `folder`. */
export async function runStorage(
  { url, dataDir }: Pick<TestServer, "url" | "dataDir">,
  args: readonly string[],
  { input = "", folder = root, env = {} }: Partial<StorageRun> = {},
): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, ["apps/server/src/admin/main.ts", ...args], {
    cwd: root,
    env: {
      ...{ PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: dataDir, INIT_CWD: folder },
      ...env,
    },
  });
  child.stdin.end(`${input}\n`);
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const output = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exited, text: output.join("") };
}

interface StorageRun {
  input: string;
  folder: string;
  env: Record<string, string>;
}
