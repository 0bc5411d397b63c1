// Documents at build time: anchors, code colours without style attributes, and no HTML taken from
// the text.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { renderChapter } from "./markdown.ts";

it("headings: each gets an anchor of its own, one level below the page heading", () => {
  const { headings, html } = renderChapter("# 备份\n\n## 恢复\n\n## 恢复\n\n### 一步\n", "backup");
  expect(headings).toEqual([
    { id: "backup", level: 1, text: "备份" },
    { id: "backup-恢复", level: 2, text: "恢复" },
    { id: "backup-恢复-2", level: 2, text: "恢复" },
    { id: "backup-一步", level: 3, text: "一步" },
  ]);
  expect(html).toContain('<h2 id="backup" tabindex="-1">备份<a class="doc-anchor" href="#backup"');
});

it("code blocks: coloured by classes only, with the language's name", () => {
  const { html } = renderChapter('```bash title=run.sh\necho "<b>" # x\n```\n', "x");
  expect(html).toContain("<span>run.sh</span>");
  expect(html).toContain('class="hljs-');
  expect(html).not.toContain("style=");
  expect(html).not.toContain("<b>");
});

it("HTML in the text: is escaped", () => {
  const { html } = renderChapter("<script>alert(1)</script>\n\n[x](javascript:alert(1))\n", "x");
  expect(html).not.toMatch(/<script|href="javascript/);
});

it("notes and warnings, tables, external links, joined lines: are rendered", () => {
  const { html } = renderChapter(
    "> [!WARNING]\n> 小心。\n\n| a |\n|---|\n| 1 |\n\n[x](https://example.com)\n\n第一行\n第二行\n",
    "x",
  );
  expect(html).toContain('<blockquote data-kind="warning" data-title="注意">');
  expect(html).toContain("<p>小心。</p>");
  expect(html).toContain('<div class="doc-table" role="region" tabindex="0"');
  expect(html).toContain('target="_blank" rel="noopener noreferrer"');
  expect(html).toContain("第一行第二行");
});

it.each(["manual", "sre", "sdk", "sdk/en"])(
  "docs/%s: every anchor is unique and every link has a target",
  (name) => {
    const folder = path.join(import.meta.dirname, "../../../docs", name);
    const files = readdirSync(folder).filter((file) => file.endsWith(".md"));
    const chapters = files.map((file) =>
      renderChapter(
        readFileSync(path.join(folder, file), "utf8"),
        file.replace(/^\d+-|\.md$/g, ""),
      ),
    );
    const ids = chapters.flatMap(({ headings }) => headings.map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(20);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { html } of chapters) {
      for (const [, id = ""] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(id);
    }
  },
);
