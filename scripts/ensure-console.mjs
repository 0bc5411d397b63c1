// Builds the console unless its inputs are unchanged since the last build.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runStep } from "./run-step.mjs";

const stamp = join(root, "apps/console/dist/.built-from");

export async function ensureConsole() {
  const inputs = hashInputs();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === inputs) return;
  await runStep({
    title: "正在构建控制台",
    command: "npm",
    args: ["run", "build", "-w", "@cabinet/console"],
    advice: "请按上面的提示修正后重新运行。",
  });
  writeFileSync(stamp, inputs);
}

function hashInputs() {
  const hash = createHash("sha256");
  const addFile = (path) => hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  const addFolder = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isFile()) addFile(path);
      else if (!["dist", "node_modules", "catalogue"].includes(entry.name)) addFolder(path);
    }
  };
  addFile("package-lock.json");
  addFolder("packages");
  addFolder("apps/console");
  // The console's documentation pages are built from these folders.
  addFolder("docs/sre");
  addFolder("docs/sdk");
  return hash.digest("hex");
}
