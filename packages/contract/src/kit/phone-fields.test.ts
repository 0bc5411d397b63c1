// Tests that every phone field of the contract uses the shared phone rule.
import { expect, it } from "vitest";
import { contracts } from "../contracts.ts";
import type { EndpointSpec } from "./endpoint.ts";

interface FieldSchema {
  properties?: Record<string, FieldSchema>;
  items?: FieldSchema;
  "x-phone"?: string;
}

/**
 * Not mobile numbers: a service line may be a landline or 400 number, `phoneCode` is a WeChat code, `phoneTail` the
 * last four digits.
 */
const OTHER_NUMBERS = new Set(["servicePhone", "phoneCode", "phoneTail"]);

function phonesIn({ properties = {}, items }: FieldSchema, path: string): [string, FieldSchema][] {
  const inner = Object.entries(properties).flatMap(([name, field]) => [
    ...(/phone/i.test(name) && !OTHER_NUMBERS.has(name)
      ? [[`${path} ${name}`, field] as [string, FieldSchema]]
      : []),
    ...phonesIn(field, path),
  ]);
  return items ? [...inner, ...phonesIn(items, path)] : inner;
}

/** Cells of an import: `judgeDrafts` takes them by the rule of the field that they become. */
const isImport = ({ path }: EndpointSpec) => path.endsWith("/import");

const phones = Object.values(contracts).flatMap((contract) =>
  Object.values(contract as Record<string, EndpointSpec>).flatMap((spec) =>
    [spec.query, spec.body].flatMap((part) =>
      part && !isImport(spec) ? phonesIn(part as FieldSchema, `${spec.method} ${spec.path}`) : [],
    ),
  ),
);

it("phones of the contract: found in forms, filters, app and open API", () => {
  const text = phones.map(([name]) => name).join("\n");
  for (const path of ["account/profile", "user/list", "/app/v1/order", "/open/v1/order"]) {
    expect(text).toContain(path);
  }
});

it.each(phones)("%s: follows the phone rule", (_, field) => {
  expect(["WHOLE", "OPTIONAL", "PART"]).toContain(field["x-phone"]);
});
