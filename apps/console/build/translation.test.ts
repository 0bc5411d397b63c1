// The English chapters of docs/sdk have the blocks, code and links of the Chinese ones, nothing more and nothing less.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";

const folder = path.join(import.meta.dirname, "../../../docs/sdk");
const chaptersIn = (place: string) => readdirSync(place).filter((file) => file.endsWith(".md"));
const read = (...file: string[]) => readFileSync(path.join(folder, ...file), "utf8");

/** Cells that say whether a field is required. */
const yesOrNo: Record<string, string> = { 是: "yes", 否: "no", yes: "yes", no: "no" };

const hasHan = /\p{Script=Han}/u;

/**
 * All that the languages share: each block (headings with their level, items, rows, cells), code blocks with
 * their text, and of each paragraph or cell its links, code words, figures, the kind of callout, yes or no. Word order
 * differs, so they are sorted; what is written twice in one language may be written once in the other.
 */
function skeletonOf(text: string): string[] {
  return new MarkdownIt().parse(text, {}).map((token) => {
    if (token.type === "fence") return `\`\`\`${token.info}\n${token.content}`;
    if (token.type !== "inline") return `${token.type} ${token.tag}`;
    const inner = token.children ?? [];
    const links = inner.flatMap((each) => String(each.attrGet("href") ?? ""));
    const code = inner.filter(({ type }) => type === "code_inline").map(({ content }) => content);
    const kind = /^\[!\w+\]/.exec(token.content)?.[0] ?? "";
    const prose = inner.filter(({ type }) => type === "text").map(({ content }) => content);
    const figures = prose.join(" ").match(/\d+/g) ?? [];
    const answer = yesOrNo[token.content] ?? "";
    const sorted = [links, code, figures].flatMap((part) => [...new Set<string>(part)].sort());
    return [kind, answer, ...sorted].join(" ").trim();
  });
}

it("chapters: the same files in both languages", () => {
  expect(chaptersIn(path.join(folder, "en"))).toEqual(chaptersIn(folder));
});

describe.each(chaptersIn(folder))("%s", (file) => {
  it("English: the blocks, code and links of the Chinese chapter", () => {
    const [chinese, english] = [skeletonOf(read(file)), skeletonOf(read("en", file))];
    // Says where the first difference is: after it, everything is shifted.
    const at = chinese.findIndex((part, index) => part !== english[index]);
    expect(english.slice(at, at + 4)).toEqual(chinese.slice(at, at + 4));
    expect(english).toEqual(chinese);
  });

  it("English: headings and first cells are translated", () => {
    const english = read("en", file);
    const titles = english.match(/^#+ .*$/gm)?.filter((title) => hasHan.test(title));
    expect(titles ?? []).toEqual([]);
    if (file !== "01-overview.md") expect(english).not.toMatch(/^\|[^|\n]*\p{Script=Han}/mu);
  });

  it("comments of samples: in English, as both languages print the same ones", () => {
    const samples = [...read(file).matchAll(/^```\w+ title=.*?^```/gms)].map(([sample]) => sample);
    const comments = samples.flatMap((sample) => sample.match(/(?:#|\/\/|\/\*).*$/gm) ?? []);
    expect(comments.filter((comment) => hasHan.test(comment))).toEqual([]);
  });
});

it("skeletonOf: a heading, row, item, sample or code word in one language only makes a difference", () => {
  const text =
    "# A\n\n- one `x`\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```bash\nls\n```\n\n## B\n";
  const whole = skeletonOf(text);
  for (const [part, changed] of [
    ["## B", "### B"],
    ["\n## B\n", ""],
    ["| 1 | 2 |\n", ""],
    ["- two\n", ""],
    ["ls", "ls -l"],
    ["`x`", "x"],
    ["`x`", "[x](y)"],
    ["| 1 |", "| 3 |"],
  ] as const)
    expect(skeletonOf(text.replace(part, changed)), part).not.toEqual(whole);
  expect(skeletonOf(text.replace("one", "eins"))).toEqual(whole);
});
