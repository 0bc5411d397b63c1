// Reads YAML as kubectl, Compose and Prometheus do: they are written in Go and read YAML 1.1 with a port of libyaml.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Document, isCollection, parseAllDocuments, visit } from "yaml";

/** Debian's package prometheus has the program; it reads with the same package as kubectl. */
export const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

/** Why a Go program refuses the text: for libyaml a plain scalar of a flow collection ends at `?`. YAML 1.2 allows it inside. */
export function refusalsOf(text: string): string[] {
  return documentsOf(text).flatMap((document) => {
    const refusals = [...document.errors, ...document.warnings].map((each) => each.message);
    visit(document, {
      Scalar(_key, scalar, ancestors) {
        if (scalar.type !== "PLAIN" || !scalar.source?.includes("?")) return;
        const isInFlow = ancestors.some((each) => isCollection(each) && each.flow);
        if (isInFlow) refusals.push(`not quoted in a flow collection: ${scalar.source}`);
      },
    });
    return refusals;
  });
}

/** The values of the documents by YAML 1.1: `0440` is octal, `yes` is true. */
// biome-ignore lint/suspicious/noExplicitAny: manifests have no types here.
export const valuesOf = (text: string): any[] => documentsOf(text).map((each) => each.toJS());

/** Why promtool's reader refuses the text: it checks the syntax before the names of rules. */
export function refusalsOfPromtool(text: string): string[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), "go-yaml-"));
  const file = path.join(folder, "document.yml");
  // promtool reads the first document of a file.
  const refusals = text.split(/^---$/m).flatMap((document) => {
    writeFileSync(file, document);
    const { stdout, stderr } = spawnSync("promtool", ["check", "rules", file], {
      encoding: "utf8",
    });
    return `${stdout}${stderr}`.match(/yaml: (?!unmarshal errors:).*/g) ?? [];
  });
  rmSync(folder, { recursive: true });
  return refusals;
}

function documentsOf(text: string): Document.Parsed[] {
  const documents = parseAllDocuments(text, { version: "1.1", merge: true });
  return "empty" in documents ? [] : documents;
}
