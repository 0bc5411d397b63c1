// Room for the one demo of a run: made by the first file that needs it, copied by each.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    demoFolder: string;
  }
}

export default async function setup(project: TestProject) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "storage-demo-"));
  project.provide("demoFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}
