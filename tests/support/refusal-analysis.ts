// Finds the refusals that each call's handler can reach, by following names through the server's source.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { errorTable } from "@cabinet/contract/kit/errors.ts";
import { parseSync } from "oxc-parser";

const root = path.join(import.meta.dirname, "../..");
const server = path.join(root, "apps/server/src");
/** Nouns by the names of their contracts. */
const nouns = new Map(
  [
    ...readFileSync(path.join(root, "packages/contract/src/contracts.ts"), "utf8").matchAll(
      /^ {2}"?([\w-]+)"?: (\w+Contract),$/gm,
    ),
  ].map(([, noun, contract]) => [contract, noun]),
);

interface Node {
  type: string;
  [key: string]: unknown;
}

/** A top-level declaration: error codes that it names, and names of this module that it uses. */
interface Declaration {
  codes: Set<string>;
  uses: Set<string>;
}

interface Module {
  declarations: Map<string, Declaration>;
  /** Local name to module and exported name; `*` is the whole module. */
  imports: Map<string, { file: string; name: string }>;
  exports: Map<string, { file: string; name: string }>;
  /** Modules whose exports are all passed on. */
  passedOn: string[];
  mounts: { contract: string; key: string; reached: Declaration }[];
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** Without names of members and keys, which name no declaration. */
function* childrenOf(node: Node): Generator<Node> {
  for (const [name, value] of Object.entries(node)) {
    if ((name === "property" || name === "key") && node.computed === false) continue;
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) yield each;
  }
}

/** Collects from a subtree; leaves out the handlers of mounted contracts where `hasMounts` is set. */
function collect(node: Node, into: Declaration, hasMounts = false): Declaration {
  if (node.type === "Identifier") into.uses.add(String(node.name));
  if (node.type === "MemberExpression" && (node.object as Node).type === "Identifier") {
    into.uses.add(`${(node.object as Node).name}.${(node.property as Node).name}`);
  }
  if (node.type === "Literal" && typeof node.value === "string" && node.value in errorTable) {
    into.codes.add(node.value);
  }
  if (hasMounts && isMount(node)) return into;
  for (const child of childrenOf(node)) collect(child, into, hasMounts);
  return into;
}

const isMount = (node: Node) =>
  node.type === "CallExpression" && (node.callee as Node).name === "mount";

const newDeclaration = (): Declaration => ({ codes: new Set(), uses: new Set() });

function* namesOfPattern(node: Node): Generator<string> {
  if (node.type === "Identifier") yield String(node.name);
  else for (const child of childrenOf(node)) yield* namesOfPattern(child);
}

function* declarationsOf(statement: Node): Generator<[string, Node]> {
  const inner = (statement.declaration as Node | null) ?? statement;
  if (inner.type === "VariableDeclaration") {
    for (const one of inner.declarations as Node[]) {
      for (const name of namesOfPattern(one.id as Node)) yield [name, one];
    }
  } else if (isNode(inner.id)) yield [String(inner.id.name), inner];
}

function* mountsOf(node: Node): Generator<Node> {
  if (isMount(node)) yield node;
  for (const child of childrenOf(node)) yield* mountsOf(child);
}

function readModule(file: string): Module {
  const { program } = parseSync(file, readFileSync(file, "utf8"));
  const read: Module = {
    declarations: new Map(),
    imports: new Map(),
    exports: new Map(),
    passedOn: [],
    mounts: [],
  };
  const resolve = (source: unknown) => {
    const given = String((source as Node).value);
    return given.startsWith(".") ? path.resolve(path.dirname(file), given) : "";
  };
  for (const statement of program.body as unknown as Node[]) {
    if (statement.type === "ImportDeclaration") {
      for (const each of statement.specifiers as Node[]) {
        const name = isNode(each.imported) ? String(each.imported.name) : "*";
        read.imports.set(String((each.local as Node).name), {
          file: resolve(statement.source),
          name,
        });
      }
    } else if (statement.type === "ExportAllDeclaration") {
      read.passedOn.push(resolve(statement.source));
    } else if (statement.type === "ExportNamedDeclaration" && isNode(statement.source)) {
      for (const each of statement.specifiers as Node[]) {
        const name = String((each.local as Node).name);
        read.exports.set(String((each.exported as Node).name), {
          file: resolve(statement.source),
          name,
        });
      }
    }
    for (const [name, node] of declarationsOf(statement)) {
      read.declarations.set(name, collect(node, newDeclaration()));
      for (const mount of mountsOf(node)) {
        const [contract, handlers] = mount.arguments as [Node, Node];
        const around = collect(node, newDeclaration(), true);
        around.uses.delete(name);
        for (const property of handlers.properties as Node[]) {
          const reached = collect(property, newDeclaration());
          for (const use of around.uses) reached.uses.add(use);
          const key = String((property.key as Node | undefined)?.name);
          read.mounts.push({ contract: String(contract.name), key, reached });
        }
      }
    }
  }
  return read;
}

/**
 * Error codes that each call's handler can refuse with, by `noun.call`: the codes named by the functions, classes and
 * constants that it uses, directly or not. Refusals of the layers before the handler are not among them.
 */
export function reachableRefusals(): Record<string, string[]> {
  const files = globSync("**/*.ts", { cwd: server }).filter((file) => !file.endsWith(".test.ts"));
  const modules = new Map(
    files.map((file) => [path.join(server, file), readModule(path.join(server, file))]),
  );

  /** Follows re-exports to the declaration. */
  function find(file: string, name: string): { file: string; name: string } | null {
    const found = modules.get(file);
    if (!found) return null;
    if (found.declarations.has(name)) return { file, name };
    const exported = found.exports.get(name);
    if (exported) return find(exported.file, exported.name);
    for (const other of found.passedOn) {
      const there = find(other, name);
      if (there) return there;
    }
    return null;
  }

  function resolveUse(file: string, use: string): { file: string; name: string } | null {
    const [first = "", member] = use.split(".");
    const { declarations, imports } = modules.get(file) as Module;
    const imported = imports.get(first);
    if (imported?.name === "*") return member ? find(imported.file, member) : null;
    if (imported) return find(imported.file, imported.name);
    return declarations.has(first) ? { file, name: first } : null;
  }

  function reach(file: string, start: Declaration): string[] {
    const codes = new Set(start.codes);
    const seen = new Set<string>();
    const open = [...start.uses].map((use) => ({ file, use }));
    for (let next = open.pop(); next; next = open.pop()) {
      const at = resolveUse(next.file, next.use);
      if (!at || seen.has(`${at.file} ${at.name}`)) continue;
      seen.add(`${at.file} ${at.name}`);
      const declaration = modules.get(at.file)?.declarations.get(at.name) as Declaration;
      for (const code of declaration.codes) codes.add(code);
      for (const use of declaration.uses) open.push({ file: at.file, use });
    }
    return [...codes].sort();
  }

  const found = [...modules].flatMap(([file, { mounts }]) =>
    mounts.map(({ contract, key, reached }): [string, string[]] => [
      `${nouns.get(contract)}.${key}`,
      reach(file, reached),
    ]),
  );
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}
