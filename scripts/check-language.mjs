// Checks comments, test titles and identifiers against the language rules of CONTRIBUTING.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseSync, Visitor } from "oxc-parser";
import { root } from "./run-step.mjs";

/** A comment or a test title that opens with one of these has no subject. */
const OPENERS = /^(What|Whatever|Who|Whoever|Whose|Whom|Those|Of|So|It|They|Such)\b/;

/** Word in an identifier → the field's term for it. */
const TERMS = new Map([
  ["crowd", "loadGenerator"],
  ["deed", "action"],
  ["house", "testServer, project"],
  ["reckon", "calculate, price"],
  ["street", "deviceFleet"],
  ["tell", "notify, publish, deliver, log"],
  ["telling", "notice, message"],
  ["told", "notified, published"],
  ["whom", "recipient"],
  ["whose", "owner"],
  ["wish", "request"],
]);

/** Fields of calls, columns and error codes: clients and stored rows use them. Allowed as property names only. */
const FROZEN = new Set([
  "DEED",
  "HOUSE",
  "NOBODY_TO_TELL",
  "is_absence_told",
  "tellsOverdue",
  "told",
  "toldAt",
  "toldState",
  "told_at",
  "told_trouble",
]);

const FOLDERS = ["apps", "packages", "tests", "e2e", "bench", "scripts"];
const SOURCE_FILE = /\.(tsx?|mjs)$/;
const TEST_FILE = /\.test\.tsx?$/;
const TEST_CALL = /^(it|test|describe)\b/;

/** @returns {string | undefined} The term that replaces a word of this name. */
function termFor(name) {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return words
    .map((word) => word.toLowerCase())
    .flatMap((word) => [word, word.replace(/s$/, ""), word.replace(/es$/, "")])
    .map((word) => TERMS.get(word))
    .find(Boolean);
}

/**
 * Finds the breaches in one file.
 * @returns {{ line: number, text: string, advice: string }[]}
 */
export function findBreaches(file, source) {
  const { program, comments } = parseSync(file, source);
  const breaches = [];
  const add = (at, text, advice) =>
    breaches.push({ line: source.slice(0, at).split("\n").length, text, advice });

  let previousEnd = null;
  for (const { type, value, start, end } of comments) {
    const isContinued =
      type === "Line" && previousEnd !== null && source.slice(previousEnd, start).trim() === "";
    previousEnd = type === "Line" ? end : null;
    const [text] = value.replace(/^[\s*]+/, "").split("\n");
    if (!isContinued && OPENERS.test(text)) add(start, text.trim(), "begin with the subject");
  }

  const names = [];
  const propertyStarts = new Set();
  const addName = ({ name, start }) => names.push({ name, start });
  const addProperty = ({ key }) => propertyStarts.add(key.start);
  new Visitor({
    Identifier: addName,
    JSXIdentifier: addName,
    PrivateIdentifier: addName,
    Property: addProperty,
    TSPropertySignature: addProperty,
    MemberExpression: ({ property }) => propertyStarts.add(property.start),
    CallExpression({ callee, arguments: [title] }) {
      const isTest = TEST_FILE.test(file) && TEST_CALL.test(source.slice(callee.start, callee.end));
      if (isTest && typeof title?.value === "string" && OPENERS.test(title.value)) {
        add(title.start, title.value, "begin with the subject");
      }
    },
  }).visit(program);
  const seen = new Set();
  for (const { name, start } of names) {
    if (seen.has(name) || (FROZEN.has(name) && propertyStarts.has(start))) continue;
    const term = termFor(name);
    if (!term) continue;
    seen.add(name);
    add(start, name, `use: ${term}`);
  }
  return breaches;
}

function main() {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((name) => `${folder}/${name}`)
      .filter((name) => SOURCE_FILE.test(name) && !/\/(node_modules|dist)\//.test(name)),
  );
  const lines = files.flatMap((file) =>
    findBreaches(file, readFileSync(join(root, file), "utf8")).map(
      ({ line, text, advice }) => `${file}:${line}: ${text} (${advice})`,
    ),
  );
  for (const line of lines) console.error(line);
  if (lines.length > 0)
    console.error(`\n${lines.length} 处措辞不符合 CONTRIBUTING 的“Language”一节`);
  process.exitCode = lines.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
