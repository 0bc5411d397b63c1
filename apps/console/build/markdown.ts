// Renders the documents at build time: Markdown to safe HTML with anchors and coloured code.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import http from "highlight.js/lib/languages/http";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import nginx from "highlight.js/lib/languages/nginx";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";
import MarkdownIt, { type MarkdownIt as Parser, type Token } from "markdown-it";
import type { Plugin } from "vite";
import type { DocChapter, DocHeading } from "../src/features/partners/doc/doc.rules.ts";
import type { DocLanguage } from "../src/kit/doc-language.ts";

const languages = { bash, http, ini, java, javascript, json, nginx, php, python, sql, typescript };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
hljs.registerLanguage("yaml", yaml);

/** Heading of a code block by the language after its fence. */
const languageNames: Record<string, string> = {
  bash: "Shell",
  http: "HTTP",
  ini: "配置",
  java: "Java",
  javascript: "JavaScript",
  json: "JSON",
  nginx: "nginx",
  php: "PHP",
  python: "Python",
  sql: "SQL",
  typescript: "TypeScript",
  yaml: "YAML",
};

const words = {
  zh: {
    anchor: (title: string) => `${title}的链接`,
    table: "表格",
    copy: "复制",
    code: "代码",
    callouts: { NOTE: "说明", WARNING: "注意", TIP: "建议" },
  },
  en: {
    anchor: (title: string) => `Link to ${title}`,
    table: "Table",
    copy: "Copy",
    code: "Code",
    callouts: { NOTE: "Note", WARNING: "Warning", TIP: "Tip" },
  },
};

/** Prefixes each anchor with `chapter`, so that two chapters may have equal headings. */
export function renderChapter(
  text: string,
  chapter: string,
  language: DocLanguage = "zh",
): DocChapter {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const tokens = markdown.parse(text, {});
  const headings: DocHeading[] = [];
  const seen = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const title = plainText(tokens[at + 1]);
      const level = Number(token.tag.slice(1));
      const base = level === 1 ? chapter : `${chapter}-${slugOf(title)}`;
      const count = seen.get(base) ?? 0;
      seen.set(base, count + 1);
      const id = count === 0 ? base : `${base}-${count + 1}`;
      headings.push({ id, level, text: title });
      token.attrSet("id", id);
      // The page itself has the first-level heading.
      token.tag = `h${level + 1}`;
    } else if (token.type === "heading_close") {
      token.tag = `h${Number(token.tag.slice(1)) + 1}`;
    } else if (token.type === "blockquote_open") {
      markCallout(tokens, at, language);
    }
  }
  Object.assign(markdown.renderer.rules, rules(markdown, language));
  return { headings, html: markdown.renderer.render(tokens, markdown.options, {}) };
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

function plainText(inline: Token | undefined): string {
  return (inline?.children ?? []).map(({ content }) => content).join("");
}

/** Callout in GitHub's syntax: `> [!WARNING]`. */
function markCallout(tokens: Token[], at: number, language: DocLanguage): void {
  const inline = tokens[at + 2];
  const first = inline?.children?.[0];
  const kind = /^\[!(NOTE|WARNING|TIP)\]$/.exec(first?.content ?? "")?.[1] as
    | keyof typeof words.zh.callouts
    | undefined;
  if (!kind || !inline?.children) return;
  tokens[at]?.attrSet("data-kind", kind.toLowerCase());
  tokens[at]?.attrSet("data-title", words[language].callouts[kind]);
  inline.children.splice(0, 2);
}

function rules(markdown: Parser, language: DocLanguage): Parser["renderer"]["rules"] {
  const { escapeHtml } = markdown.utils;
  const { anchor, table, copy, code: codeName } = words[language];
  return {
    heading_open: (tokens, at) => {
      const token = tokens[at];
      return token
        ? `<${token.tag} id="${escapeHtml(String(token.attrGet("id") ?? ""))}" tabindex="-1">`
        : "";
    },
    heading_close: (tokens, at) => {
      const id = escapeHtml(String(tokens[at - 2]?.attrGet("id") ?? ""));
      const text = escapeHtml(anchor(plainText(tokens[at - 1])));
      return `<a class="doc-anchor" href="#${id}" aria-label="${text}">#</a></${tokens[at]?.tag}>`;
    },
    // Between Chinese characters a line break in the source is not a space.
    softbreak: (tokens, at) =>
      /\p{Script=Han}|[，。：；、）”]/u.test(`${tokens[at - 1]?.content.at(-1) ?? ""}`) ||
      /^[\p{Script=Han}（“]/u.test(tokens[at + 1]?.content ?? "")
        ? ""
        : "\n",
    table_open: () =>
      `<div class="doc-table" role="region" tabindex="0" aria-label="${table}"><table>`,
    table_close: () => "</table></div>",
    link_open: (tokens, at, options, _env, self) => {
      const href = String(tokens[at]?.attrGet("href") ?? "");
      // Both languages write the same link; the English one leads to the English page or file.
      if (language === "en" && /^\/(doc\/sdk|api\/openapi\/)/.test(href))
        tokens[at]?.attrSet("href", `${href}${href.includes("?") ? "&" : "?"}lang=en`);
      if (/^https?:/.test(href)) {
        tokens[at]?.attrSet("target", "_blank");
        tokens[at]?.attrSet("rel", "noopener noreferrer");
      }
      return self.renderToken(tokens, at, options);
    },
    fence: (tokens, at) => {
      const token = tokens[at];
      if (!token) return "";
      const [language = "", ...words] = token.info.trim().split(/\s+/);
      const title = words.find((word) => word.startsWith("title="))?.slice("title=".length);
      const code = hljs.getLanguage(language)
        ? hljs.highlight(token.content, { language }).value
        : escapeHtml(token.content);
      const caption = escapeHtml(title ?? languageNames[language] ?? "");
      return (
        `<figure class="doc-code"><figcaption><span>${caption}</span>` +
        `<button type="button" class="doc-copy" data-copy>${copy}</button></figcaption>` +
        `<pre tabindex="0" aria-label="${caption || codeName}"><code>${code}</code></pre></figure>\n`
      );
    },
  };
}

/**
 * Makes `import chapter from "….md"` return HTML and headings; anchors start with the file name
 * without its number.
 */
export function markdownDocs(): Plugin {
  return {
    name: "markdown-docs",
    enforce: "pre",
    transform: {
      filter: { id: /\.md$/ },
      handler: (text, id) => {
        const chapter = path.basename(id, ".md").replace(/^\d+-/, "");
        const language = path.basename(path.dirname(id)) === "en" ? "en" : "zh";
        return {
          code: `export default ${JSON.stringify(renderChapter(text, chapter, language))};`,
          map: null,
          moduleType: "js",
        };
      },
    },
  };
}

/**
 * Publishes the integrators' documents as they are: `/sdk/integration.{zh,en}.md` with all chapters, and each titled
 * code block as `/sdk/samples/{title}`.
 */
export function integrationFiles(folder: string): Plugin {
  return {
    name: "integration-files",
    apply: "build",
    generateBundle() {
      for (const [language, place] of [
        ["zh", folder],
        ["en", path.join(folder, "en")],
      ] as const) {
        const files = readdirSync(place).filter((file) => file.endsWith(".md"));
        const source = files
          .sort()
          .map((file) => readFileSync(path.join(place, file), "utf8"))
          .join("\n");
        this.emitFile({ type: "asset", fileName: `sdk/integration.${language}.md`, source });
        // Both languages have the same samples (translation.test.ts).
        if (language === "zh") {
          for (const { title, code } of samplesOf(source))
            this.emitFile({ type: "asset", fileName: `sdk/samples/${title}`, source: code });
        }
      }
    },
  };
}

/** Code blocks with a file name. */
function samplesOf(text: string): { title: string; code: string }[] {
  return [...text.matchAll(/^```\w+ title=(\S+)\n(.*?)^```$/gms)].map(
    ([, title = "", code = ""]) => ({ title, code }),
  );
}

/** Publishes test vectors for protocol implementers at stable URLs: `/vectors/{name}/{file}.json`. */
export function vectorFiles(folders: Record<string, string>): Plugin {
  return {
    name: "vector-files",
    apply: "build",
    generateBundle() {
      for (const [name, folder] of Object.entries(folders)) {
        for (const file of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
          this.emitFile({
            type: "asset",
            fileName: `vectors/${name}/${file}`,
            source: readFileSync(path.join(folder, file)),
          });
        }
      }
    },
  };
}
