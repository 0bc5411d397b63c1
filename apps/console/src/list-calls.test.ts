// Calls of lists: each list page's module and the table name the same call.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { expect, it } from "vitest";
import { listCalls, sidedCalls } from "./list-calls.ts";

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), "utf8");
const contractFolder = path.join(import.meta.dirname, "../../../packages/contract/src");
const bases = ["/cupboardRun", "/userApplet"];

interface Named {
  call: string;
  contract: string;
  name: string;
  isSided: boolean;
}

/** Call that a page's module prefetches without anything but the side of its page; null without one. */
function prefetchedBy(source: string): Named | null {
  const found = /export const prefetch = listPrefetch\((\w+)\.(\w+)(, sideQueryAt)?\)/.exec(source);
  const [, contract = "", name = "", side] = found ?? [];
  const from = new RegExp(`\\b${contract}\\b[^}]*\\} from "@cabinet/contract/([^"]+)"`);
  const file = from.exec(source)?.[1];
  return found && file ? { call: file, contract, name, isSided: side !== undefined } : null;
}

const imports = [...read("pages.ts").matchAll(/"([^"]+)":\s*\(\)\s*=>\s*import\("\.\/([^"]+)"\)/g)];
const sidedKey = /^\/(index|rider|template|pay)\b/;
const namedCalls = imports.flatMap(([, key = "", file = ""]) => {
  const named = prefetchedBy(read(file));
  const keys = sidedKey.test(key) ? bases.map((base) => base + key) : [key];
  return named ? keys.map((each) => ({ key: each, ...named })) : [];
});

it("calls of lists: the table has each page whose module prefetches rows, and no other", () => {
  expect(namedCalls.length).toBeGreaterThan(40);
  expect(namedCalls.map(({ key }) => key).sort()).toEqual(Object.keys(listCalls).sort());
});

it.for(namedCalls)("$key: requests the call that its module prefetches", async (named) => {
  const contracts = await import(/* @vite-ignore */ path.join(contractFolder, named.call));
  const spec: EndpointSpec = contracts[named.contract][named.name];
  expect(spec).toMatchObject({
    method: "GET",
    path: listCalls[named.key as keyof typeof listCalls],
  });
  expect(named.key in sidedCalls).toBe(named.isSided);
});
