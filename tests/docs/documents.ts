// The documents of the repository as tests read them: chapters, their tables, their samples.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const root = path.join(import.meta.dirname, "../..");

/** Text by file name, such as `sre/05-settings.md`. */
export function readDocument(name: "sre" | "sdk"): Map<string, string> {
  const folder = path.join(root, "docs", name);
  const files = readdirSync(folder).filter((file) => file.endsWith(".md"));
  return new Map(files.sort().map((file) => [file, readFileSync(path.join(folder, file), "utf8")]));
}

export function chapter(name: "sre" | "sdk", file: string): string {
  const text = readDocument(name).get(file);
  if (text === undefined) throw new Error(`no chapter ${name}/${file}`);
  return text;
}

/** The cells of every row of every table, without the marks of code. */
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

/** What stands in the first cell as code. */
export const namesOf = (text: string): string[] =>
  rowsOf(text).flatMap(([first = ""]) =>
    [...first.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );

/** A block of code with `title=` behind its language. */
export function sampleOf(text: string, title: string): string {
  const found = new RegExp(
    `^\`\`\`\\w+ title=${title.replace(".", "\\.")}\n(.*?)^\`\`\``,
    "ms",
  ).exec(text);
  if (!found?.[1]) throw new Error(`no sample ${title}`);
  return found[1];
}
