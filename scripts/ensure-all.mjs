// Brings all that the server runs on: dependencies, Node, the built console. Returns the Node to run it with.
import { ensureConsole } from "./ensure-console.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensureNodeModules } from "./ensure-node-modules.mjs";

export async function ensureAll() {
  await ensureNodeModules();
  const node = ensureNode();
  await ensureConsole();
  return node;
}
