// Installs and builds what a start needs: dependencies, Node, pages. Returns the Node to run.

import { ensureNode, requireMachine } from "./ensure-node.mjs";
import { ensureNodeModules } from "./ensure-node-modules.mjs";
import { ensurePages } from "./ensure-pages.mjs";

export async function ensureAll() {
  requireMachine();
  await ensureNodeModules();
  const node = ensureNode();
  await ensurePages();
  return node;
}
