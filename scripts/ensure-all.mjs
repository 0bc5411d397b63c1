// Installs and builds what a start needs: dependencies, Node, console. Returns the Node to run.
import { ensureConsole } from "./ensure-console.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensureNodeModules } from "./ensure-node-modules.mjs";

export async function ensureAll() {
  await ensureNodeModules();
  const node = ensureNode();
  await ensureConsole();
  return node;
}
