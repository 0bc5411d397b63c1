// Reads the repository's documents for tests: chapters, their tables, their samples.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const root = path.join(import.meta.dirname, "../..");

type Folder = "sre" | "sdk" | "sdk/en";

/** Texts by file name, such as `05-settings.md`. */
export function readDocument(name: Folder): Map<string, string> {
  const folder = path.join(root, "docs", name);
  const files = readdirSync(folder).filter((file) => file.endsWith(".md"));
  return new Map(files.sort().map((file) => [file, readFileSync(path.join(folder, file), "utf8")]));
}

/** `sdk/en`: the English chapters, whose blocks are those of `sdk` (apps/console/build/translation.test.ts). */
export function chapter(name: Folder, file: string): string {
  const text = readDocument(name).get(file);
  if (text === undefined) throw new Error(`no chapter ${name}/${file}`);
  return text;
}

/** Cells of all table rows in the text, without the separator lines. */
export function rowsOf(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\|[-|]+\|$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
}

/** Code spans in the first cell of each row. */
export const namesOf = (text: string): string[] =>
  rowsOf(text).flatMap(([first = ""]) =>
    [...first.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );

/** Content of the code block with this `title=` after its language. */
export function sampleOf(text: string, title: string): string {
  const found = new RegExp(
    `^\`\`\`\\w+ title=${title.replace(".", "\\.")}\n(.*?)^\`\`\``,
    "ms",
  ).exec(text);
  if (!found?.[1]) throw new Error(`no sample ${title}`);
  return found[1];
}
