// Builds the console and the web page of riders and recipients, unless their inputs are unchanged.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runStep } from "./run-step.mjs";

const PAGES = [
  {
    title: "正在构建控制台",
    workspace: "@cabinet/console",
    folder: "apps/console",
    // The console's documentation pages are built from these folders.
    inputs: ["packages", "apps/console", "docs/manual", "docs/sre", "docs/sdk"],
  },
  {
    title: "正在构建网页版",
    workspace: "@cabinet/pickup",
    folder: "apps/pickup",
    inputs: ["packages", "apps/pickup", "apps/console/build"],
  },
];

export async function ensurePages() {
  for (const page of PAGES) await ensurePage(page);
}

async function ensurePage({ title, workspace, folder, inputs }) {
  const stamp = join(root, folder, "dist/.built-from");
  const hash = hashOf(inputs);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  await runStep({
    title,
    command: "npm",
    args: ["run", "build", "-w", workspace],
    advice: "请按上面的提示修正后重新运行。",
  });
  writeFileSync(stamp, hash);
}

function hashOf(inputs) {
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
  for (const folder of inputs) addFolder(folder);
  return hash.digest("hex");
}
