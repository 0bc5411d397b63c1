// Static antd styles, reduced to the imported components, in a cascade layer of their own.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Plugin } from "vite";

const esFolder = path.join(
  path.dirname(createRequire(import.meta.url).resolve("antd/package.json")),
  "es",
);

/**
 * Reduces `import "antd/dist/antd.css"` to the rules of the imported components and their
 * dependencies: drops a rule that names a class of a component that nothing imports, or one of `NEVER_SET`.
 */
export function antdCss(sources: string): Plugin {
  return {
    name: "antd-css",
    enforce: "pre",
    transform: {
      filter: { id: /antd\/dist\/antd\.css$/ },
      handler: (css) => {
        const used = prefixesOf(reachableFiles(importedComponents(sources)));
        const unused = [...prefixesOf(allFiles())].filter((prefix) => !used.has(prefix));
        return `@layer base, antd;\n@layer antd {\n${withoutComponents(css, unused, used)}\n}`;
      },
    },
  };
}

function readFolder(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => path.join(folder, name));
}

function allFiles(): string[] {
  return readFolder(esFolder, /\.js$/);
}

function importedComponents(sources: string): string[] {
  const names = readFolder(sources, /\.tsx?$/).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/from "antd\/es\/([\w/-]+)"/g)].map(([, name]) => name),
  );
  return [...new Set(names)].map((name) => path.join(esFolder, name ?? ""));
}

function resolveFile(base: string): string | undefined {
  return [base, `${base}.js`, path.join(base, "index.js")].find(
    (file) => file.endsWith(".js") && existsSync(file),
  );
}

/** The given modules and all antd modules that they import, transitively. */
function reachableFiles(modules: string[]): Set<string> {
  const files = new Set<string>();
  const queue = modules.map(resolveFile);
  for (let file = queue.pop(); queue.length > 0 || file; file = queue.pop()) {
    if (!file || files.has(file)) continue;
    files.add(file);
    for (const [, target] of readFileSync(file, "utf8").matchAll(/from\s+["'](\.[^"']+)["']/g)) {
      queue.push(resolveFile(path.resolve(path.dirname(file), target ?? "")));
    }
  }
  return files;
}

/** Class prefixes (`btn`, `select`…) that modules pass to `getPrefixCls`. */
function prefixesOf(files: Iterable<string>): Set<string> {
  const prefixes = new Set<string>();
  for (const file of files) {
    for (const [, prefix] of readFileSync(file, "utf8").matchAll(
      /getPrefixCls\(\s*["']([\w-]+)["']/g,
    )) {
      if (prefix) prefixes.add(prefix);
    }
  }
  return prefixes;
}

/** Splits a sheet without comments into selectors and at-rules, each with its block. */
function* rulesOf(css: string): Generator<{ head: string; body: string }> {
  let start = 0;
  let depth = 0;
  let open = 0;
  let quote = "";
  for (let index = 0; index < css.length; index++) {
    const character = css.charAt(index);
    if (quote) {
      if (character === "\\") index++;
      else if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === "{" && depth++ === 0) open = index;
    else if (character === "}" && --depth === 0) {
      yield { head: css.slice(start, open).trim(), body: css.slice(open + 1, index) };
      start = index + 1;
    }
  }
}

function withoutComponents(css: string, unused: string[], used: Set<string>): string {
  const known = [...unused, ...used].sort((a, b) => b.length - a.length);
  const isUnused = (name: string) => {
    const owner = known.find((prefix) => name === prefix || name.startsWith(`${prefix}-`));
    return owner !== undefined && !used.has(owner);
  };
  const keepsSelector = (selector: string) =>
    !NEVER_SET.test(selector) &&
    ![...selector.matchAll(/\.ant-([\w-]+)/g)].some(([, name]) => isUnused(name ?? ""));
  const filtered = (part: string): string =>
    [...rulesOf(part)]
      .map(({ head, body }) => {
        if (head.includes("data-ant-cssinjs-cache-path")) return "";
        if (/^@(?:media|supports|container|layer)/.test(head)) {
          const inner = filtered(body);
          return inner && `${head}{${inner}}`;
        }
        const isKept = head.startsWith("@") || splitSelectors(head).some(keepsSelector);
        return isKept ? `${head}{${body}}` : "";
      })
      .join("");
  return filtered(css);
}

/** Classes that no element has: variables of antd's own pages, and grid columns, of which forms use the plain one. */
const NEVER_SET = /\.css-var-_R_|\.ant-col-/;

/** Splits at commas outside of brackets. */
function splitSelectors(head: string): string[] {
  const selectors: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < head.length; index++) {
    const character = head.charAt(index);
    if (character === "(" || character === "[") depth++;
    else if (character === ")" || character === "]") depth--;
    else if (character === "," && depth === 0) {
      selectors.push(head.slice(start, index));
      start = index + 1;
    }
  }
  return [...selectors, head.slice(start)];
}
