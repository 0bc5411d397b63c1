// The manual has a section for each page of the route table, where the page's `?` leads, and no other.
import { globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { RouteEntry } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { expect, it } from "vitest";
import { helpAnchorOf } from "../src/domain/page-help.rules.ts";
import { renderChapter } from "./markdown.ts";

const root = path.join(import.meta.dirname, "../../..");
const folder = path.join(root, "docs/manual");
const texts = readdirSync(folder).map((file): [name: string, text: string] => [
  file.replace(/^\d+-|\.md$/g, ""),
  readFileSync(path.join(folder, file), "utf8"),
]);
const chapters = texts.map(([name, text]) => renderChapter(text, name));
/** Source of the console and of the contract, where labels, titles and states are written. */
const productSource = globSync(
  ["apps/console/src/**/*.{ts,tsx}", "packages/contract/src/**/*.ts"],
  {
    cwd: root,
  },
)
  .map((file) => readFileSync(path.join(root, file), "utf8"))
  .join("\n");
const headings = chapters.flatMap((chapter) => chapter.headings);

const pagesIn = (entries: readonly RouteEntry[]): [path: string, search: string][] =>
  entries.flatMap(({ path: place, views = [], children }) =>
    children
      ? pagesIn(children)
      : [[place, ""], ...views.map(({ view }): [string, string] => [place, `?view=${view}`])],
  );
const pages = pagesIn(routeTable);

it.each(pages)("%s%s: `?` leads to a section with a text", (place, search) => {
  const anchor = helpAnchorOf(place, search);
  const { html = "" } = chapters.find(({ html: it }) => it.includes(`id="${anchor}"`)) ?? {};
  const [, below = ""] = html.split(`id="${anchor}"`);
  const [section = ""] = below.split(/<h[23] /);
  expect(section).toMatch(/<p>.{10}/s);
});

it("sections: each belongs to a page", () => {
  const anchors = new Set(pages.map((page) => helpAnchorOf(...page)));
  const sections = headings.filter(({ level }) => level === 2);
  expect(sections.filter(({ id }) => !anchors.has(id))).toEqual([]);
});

it.each(texts)("%s: what it quotes is a text of the console", (_, text) => {
  const quoted = [...text.matchAll(/“([^”?]+)”/g)].flatMap(([, label]) => label ?? []);
  expect(quoted.filter((label) => !productSource.includes(label))).toEqual([]);
});

it("groups and unknown paths: no help", () => {
  expect(helpAnchorOf("/cupboard", "")).toBeNull();
  expect(helpAnchorOf("/nowhere", "")).toBeNull();
});
