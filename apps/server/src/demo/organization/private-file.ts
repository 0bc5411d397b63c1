// Private files with secrets: owner-only permissions, written atomically.
import { open, readFile, rename } from "node:fs/promises";

export async function writePrivateFile(file: string, content: unknown): Promise<void> {
  const unfinished = `${file}.tmp`;
  const handle = await open(unfinished, "w", 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}

/** Null when the file does not exist. */
export async function readJsonFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
