// Checks that a choice by a closed list of two is a map: a third member must fail to compile, not become the other.
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import {
  isArrayLiteralExpression,
  isAsExpression,
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isIfStatement,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isReturnStatement,
  isStringLiteral,
} from "typescript/unstable/ast/is";
import { API } from "typescript/unstable/sync";
import { root } from "./run-step.mjs";

const PROJECTS = ["tsconfig.json", "apps/console/tsconfig.json", "apps/pickup/tsconfig.json"];
const CHECKED = /^(apps|packages)\/[^/]+\/src\/(?!.*\.test(-d)?\.tsx?$)/;

function bare(node) {
  return isParenthesizedExpression(node) || isAsExpression(node) ? bare(node.expression) : node;
}

/** True for a value that a map can hold: not "nothing", no call, and no further choice. */
function isValue(node) {
  const inner = bare(node);
  const isNothing =
    ["null", "undefined", '""', "false", "true"].includes(inner.getText()) ||
    (isArrayLiteralExpression(inner) && inner.elements.length === 0);
  let hasCall = false;
  const visit = (child) => {
    hasCall ||= isCallExpression(child) || isObjectLiteralExpression(child);
    child.forEachChild(visit);
  };
  visit(inner);
  return !isNothing && !hasCall && !isConditionalExpression(inner);
}

/** Both values of `list === "MEMBER" ? one : other` and of `if (list === "MEMBER") return one; return other;`. */
function branchesOf(node) {
  if (isConditionalExpression(node)) return [node.condition, node.whenTrue, node.whenFalse];
  if (!isIfStatement(node) || node.elseStatement) return null;
  const next = node.parent.statements?.[node.parent.statements.indexOf(node) + 1];
  const returned = [node.thenStatement, next].map((each) =>
    each && isReturnStatement(each) ? each.expression : null,
  );
  return returned.every(Boolean) ? [node.expression, ...returned] : null;
}

/** Choices of a file by one literal between two values. */
function choicesIn(sourceFile) {
  const choices = [];
  const visit = (node) => {
    node.forEachChild(visit);
    const [condition, one, other] = branchesOf(node) ?? [];
    if (!condition || !isBinaryExpression(condition)) return;
    const { left, operatorToken, right } = condition;
    const isEquality = ["===", "!=="].includes(operatorToken.getText());
    if (isEquality && isStringLiteral(right) && isValue(one) && isValue(other)) {
      choices.push({ node, left });
    }
  };
  visit(sourceFile);
  return choices;
}

/** Members of a union that consists of upper-case literals alone; else none. */
function membersOf(type) {
  const members = type?.isUnionType() ? type.getTypes() : [];
  const isClosed = members.every((each) => each.isStringLiteralType() && /^[A-Z]/.test(each.value));
  return isClosed ? members : [];
}

/** Breaches of one project (path of its tsconfig), as `{ file, line, text }`; `isChecked` gets absolute paths. */
export function findChoices(config, isChecked) {
  const api = new API({ cwd: root });
  try {
    const { program, checker } = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    return program
      .getSourceFileNames()
      .filter(isChecked)
      .flatMap((file) => {
        const sourceFile = program.getSourceFile(file);
        const choices = choicesIn(sourceFile);
        const types = checker.getTypeAtLocation(choices.map(({ left }) => left));
        return choices
          .filter((_, index) => membersOf(types[index]).length === 2)
          .map(({ node }) => ({
            file,
            line: sourceFile.text.slice(0, node.getStart()).split("\n").length,
            text: node.getText().replace(/\s+/g, " "),
          }));
      });
  } finally {
    api.close();
  }
}

function main() {
  const seen = new Set();
  const isChecked = (file) => CHECKED.test(relative(root, file)) && !seen.has(file);
  const breaches = PROJECTS.flatMap((config) => {
    const found = findChoices(join(root, config), isChecked);
    for (const { file } of found) seen.add(file);
    return found;
  });
  for (const { file, line, text } of breaches) {
    console.error(`${relative(root, file)}:${line}: ${text} (use a map of all members)`);
  }
  if (breaches.length > 0) {
    console.error(`\n${breaches.length} 处按封闭列表的两项取值没有用映射，见 CONTRIBUTING`);
  }
  process.exitCode = breaches.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
