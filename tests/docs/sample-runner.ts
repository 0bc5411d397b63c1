// Runs samples of the documents verbatim, in a folder with the client and with the documented
// environment.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { bundleClient } from "../../apps/console/build/client-file.ts";
import { chapter, sampleOf } from "./documents.ts";

export interface SampleCaller {
  origin: string;
  app: string;
  kid: string;
  secret: string;
}

/** Creates a folder with `open-api-client.mjs`; the caller removes it. */
export async function makeSampleFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "storage-samples-"));
  await writeFile(path.join(folder, "open-api-client.mjs"), await bundleClient());
  return folder;
}

export async function placeSample(folder: string, file: string, title: string): Promise<string> {
  const target = path.join(folder, title);
  await writeFile(target, sampleOf(chapter("sdk", file), title));
  return target;
}

export async function runSample(
  program: string,
  file: string,
  caller: SampleCaller,
  args: string[] = [],
) {
  const child = spawn(program, [...args, file], {
    env: {
      ...process.env,
      CABINET_URL: caller.origin,
      CABINET_APP: caller.app,
      CABINET_KID: caller.kid,
      CABINET_SECRET: caller.secret,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
}
