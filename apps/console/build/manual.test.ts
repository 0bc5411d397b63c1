// The manual has a section for each page of the route table, where the page's `?` leads, and no other.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { RouteEntry } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { expect, it } from "vitest";
import { helpAnchorOf } from "../src/domain/page-help.rules.ts";
import { renderChapter } from "./markdown.ts";

const folder = path.join(import.meta.dirname, "../../../docs/manual");
const chapters = readdirSync(folder).map((file) =>
  renderChapter(readFileSync(path.join(folder, file), "utf8"), file.replace(/^\d+-|\.md$/g, "")),
);
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

it("groups and unknown paths: no help", () => {
  expect(helpAnchorOf("/cupboard", "")).toBeNull();
  expect(helpAnchorOf("/nowhere", "")).toBeNull();
});
