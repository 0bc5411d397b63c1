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

/** Words that a screen or a reply never says → the words for the same. */
const SAID = new Map([
  ["对方", "第三方, 该账号, 他人"],
  ["没有得到回答", "暂未收到柜机结果"],
  ["没有收到回答", "没有收到响应"],
  ["没有启用短信通道", "未开通短信通道"],
  ["仅发件箱", "未发送（仅存档）"],
  ["绝不补开", "不会补发开门"],
  ["不起限制作用", "不生效"],
  ["开户", "注册"],
  ["由此人", "本人"],
  ["此人取件", "待取件"],
  ["只看此人", "仅看该用户"],
  ["在那之前", "发布前"],
  ["运营商列表", "运营人员"],
  ["运营商账号", "运营人员"],
  ["公告管理", "公告"],
  ["设备类型", "设备型号"],
  ["第三方调用记录", "第三方调用"],
]);
/** Headers of people's own files, in their words. */
const FOREIGN_WORDS = "device-import.rules.ts";

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
  const isSaid = /\/src\//.test(file) && !TEST_FILE.test(file) && !file.endsWith(FOREIGN_WORDS);
  const checkText = (text, start) => {
    for (const [word, term] of isSaid ? SAID : []) {
      if (text.includes(word)) add(start, word, `say: ${term}`);
    }
  };
  new Visitor({
    Literal: ({ value, start }) => typeof value === "string" && checkText(value, start),
    TemplateElement: ({ value, start }) => checkText(value.raw, start),
    JSXText: ({ value, start }) => checkText(value, start),
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
