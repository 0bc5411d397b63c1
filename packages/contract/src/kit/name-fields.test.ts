// Tests that every name that people give follows the shared rule for names.
import { expect, it } from "vitest";
import { contracts } from "../contracts.ts";
import type { EndpointSpec } from "./endpoint.ts";

interface FieldSchema {
  type?: string | string[];
  title?: string;
  enum?: unknown[];
  properties?: Record<string, FieldSchema>;
  items?: FieldSchema;
  anyOf?: FieldSchema[];
  "x-name"?: true;
}

/**
 * Words of a provider, which must be given as the provider wrote them; a headline that may be absent; cells of an import, which
 * `judgeDrafts` takes by the rule of the field that they become.
 */
const OTHERS = new Set([
  "template.save sms.placeholders[].name",
  "template.save subscribe.title",
  "template.save subscribe.keywords[].name",
  "template.save subscribe.keywords[].title",
  "announcement.create title",
  "announcement.update title",
  "store.importLines lines[].name",
  "store.importLines lines[].contactName",
  "tag.importLines lines[].name",
]);

const isText = (field: FieldSchema) => [field.type].flat().includes("string") && !field.enum;
const isName = (key: string, { title = "" }: FieldSchema) =>
  /^(title|name)$|[a-z](Name|Title)$/.test(key) && key !== "username"
    ? true
    : /(名称|姓名|联系人|标题)$/.test(title);

function namesIn(schema: FieldSchema, path: string): [string, FieldSchema][] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const at = path ? `${path}.${key}` : key;
    const inner = namesIn(field, at);
    return isText(field) && isName(key, field)
      ? [[at, field] as [string, FieldSchema], ...inner]
      : inner;
  });
  const items = schema.items ? namesIn(schema.items, `${path}[]`) : [];
  return [...own, ...items, ...(schema.anyOf ?? []).flatMap((one) => namesIn(one, path))];
}

const names = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract as Record<string, EndpointSpec>).flatMap(([call, { body }]) =>
    namesIn((body ?? {}) as FieldSchema, "").map(([path, field]): [string, FieldSchema] => [
      `${noun}.${call} ${path}`,
      field,
    ]),
  ),
);

it("names of the contract: found for accounts, roles, tenants, stores, cabinets, applications", () => {
  const found = new Set(names.map(([name]) => name));
  for (const name of [
    "account.saveProfile displayName",
    "operator.add displayName",
    "role.create name",
    "tenancy.create name",
    "tenancy.create account.displayName",
    "store.update contactName",
    "cabinet.update name",
    "open-app.create name",
    "tag.update name",
    ...OTHERS,
  ]) {
    expect([...found]).toContain(name);
  }
});

it.each(names.filter(([name]) => !OTHERS.has(name)))(
  "%s: follows the rule for names",
  (_, field) => {
    expect(field["x-name"]).toBe(true);
  },
);
