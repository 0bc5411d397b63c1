// Checks comments, test names and identifiers against the language rules of CONTRIBUTING.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseSync, Visitor } from "oxc-parser";
import { root } from "./run-step.mjs";

/** A comment or a test name that opens with one of these has no subject. */
const OPENERS = /^(What|Whatever|Who|Whoever|Whose|Whom|Those|Of|So|It|They|Such)\b/;

/** Word in an identifier → the field's term for it. */
const TERMS = {
  crowd: "loadGenerator",
  deed: "action",
  house: "testServer, project",
  reckon: "calculate, price",
  street: "deviceFleet",
  tell: "notify, publish, deliver, log",
  telling: "notice, message",
  told: "notified, published",
  whom: "recipient",
  whose: "owner",
  wish: "request",
};

/** Fields of calls and columns of tables: renaming one would break clients or stored rows. */
const FROZEN = new Set([]);

const isTest = (file) => /\.test\.tsx?$/.test(file);
const wordsOf = (name) => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];

/** Finds the breaches in one file: `[{ line, text, advice }]`. */
export function checkFile(file, source) {
  const { program, comments } = parseSync(file, source);
  const found = [];
  const lineOf = (at) => source.slice(0, at).split("\n").length;
  const add = (at, text, advice) => found.push({ line: lineOf(at), text, advice });
  let previousEnd = -1;
  for (const { type, value, start, end } of comments) {
    const continues = type === "Line" && /^\s*$/.test(source.slice(previousEnd, start));
    previousEnd = type === "Line" ? end : -1;
    const text = value.replace(/^[\s*]+/, "").trim();
    if (!continues && OPENERS.test(text)) add(start, text.split("\n")[0], "begin with the subject");
  }
  const names = new Map();
  const note = ({ name, start }) => names.has(name) || names.set(name, start);
  new Visitor({
    Identifier: note,
    JSXIdentifier: note,
    PrivateIdentifier: note,
    CallExpression({ callee, arguments: [title] }) {
      if (!isTest(file) || !/^(it|test|describe)\b/.test(source.slice(callee.start, callee.end)))
        return;
      if (typeof title?.value === "string" && OPENERS.test(title.value)) {
        add(title.start, title.value, "begin with the subject");
      }
    },
  }).visit(program);
  for (const [name, start] of names) {
    if (FROZEN.has(name)) continue;
    for (const word of wordsOf(name)) {
      const key = word.toLowerCase();
      const own = (k) => (Object.hasOwn(TERMS, k) ? TERMS[k] : undefined);
      const term = own(key) ?? own(key.replace(/(es|s)$/, "")) ?? own(key.replace(/s$/, ""));
      if (term) add(start, name, `use: ${term}`);
    }
  }
  return found;
}

function main() {
  const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mjs"], {
    cwd: root,
    encoding: "utf8",
  });
  let count = 0;
  for (const file of files.split("\n").filter((name) => name && existsSync(join(root, name)))) {
    for (const { line, text, advice } of checkFile(file, readFileSync(join(root, file), "utf8"))) {
      console.error(`${file}:${line}: ${text} (${advice})`);
      count += 1;
    }
  }
  if (count > 0) console.error(`\n${count} 处措辞不符合 CONTRIBUTING 的“Language”一节`);
  process.exitCode = count > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
