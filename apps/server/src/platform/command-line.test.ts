// Commands of administration as an operator runs them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openVault } from "./secrets.ts";

test("command: finishes its work without an error when nobody reads its output, as in `| head`", async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "command-"));
  await openVault(dataDir, { mayMake: true, keys: null });
  const child = spawn(process.execPath, ["apps/server/src/admin/main.ts", "key", "prepare"], {
    cwd: path.join(import.meta.dirname, "../../../.."),
    env: { ...process.env, DATA_DIR: dataDir },
  });
  child.stdout.destroy();
  const complaints = text(child.stderr);
  const [code] = await once(child, "close");
  expect({ code, complaints: await complaints }).toEqual({ code: 0, complaints: "" });
  await rm(dataDir, { recursive: true });
});
