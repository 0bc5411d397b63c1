// Makes a plausible value for each schema of the contract: the examples of the API document.

/** Subset of JSON Schema that the contract uses. */
export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  "x-extensible-enum"?: unknown[];
  default?: unknown;
  examples?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  title?: string;
  description?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  "x-phone"?: string;
  $ref?: string;
}

const DAY = "2026-11-22";
const MOMENT = `${DAY}T02:30:00.000Z`;
const UUID = "1f0c0a52-6d2c-4b7e-a3cc-0f6a2f0c9f11";
const MAX_DEPTH = 6;

/** Values of well-known fields, tried before those of patterns. */
const byName: Record<string, unknown> = {
  sn: "A1000001",
  cabinetSn: "A1000001",
  thirdPartyNo: "SF1001",
  itemNote: "文件袋",
  name: "城东店",
  tenantName: "城东快递",
  tenantCode: "2-q0x8Zr3VfPk",
  storeName: "城东店",
  cabinetName: "城东店 1 号柜",
  displayName: "李伟",
  username: "liwei",
  address: "人民路 1 号",
  longitude: 121.4737,
  latitude: 31.2304,
  app: "app_2f6c81d09b3e47aa",
  page: 1,
  total: 1,
  no: 1,
  compartmentNo: 1,
  // Beside QUEUED, the first state of an opening.
  isSettled: false,
};

/** Texts for patterns; the first that fits is used. */
const texts = [
  "A1000001",
  "SF1001",
  "123456",
  "0123456789",
  "12345678",
  "2026",
  "2026-11-22",
  "2026-11",
  "202611",
  "20261122",
  "08:00",
  "08:00-22:00",
  "V1.2.0",
  "1.2.0",
  "192.0.2.0/24",
  "wx0123456789abcdef",
  "kid-2026",
  "store:edit",
  "/store",
  "Shop",
  "mine",
  "none",
  "https://example.com",
  "签名",
  "城东快递",
  "李伟",
  "+86 400 800 1234",
  "01",
  "a",
  "A",
  ...[16, 22, 24, 32, 40, 43, 64, 86].map((length) =>
    "0123456789abcdef".repeat(6).slice(0, length),
  ),
  ...[16, 32].map((length) => "0123456789ABCDEF".repeat(6).slice(0, length)),
  ...["CERTIFICATE", "PRIVATE KEY", "PUBLIC KEY"].map(
    (kind) => `-----BEGIN ${kind}-----\nMIIB\n-----END ${kind}-----`,
  ),
  "c0.812345.383217384136704",
  "PUB_KEY_ID_0123456789ABCDEF0123456789ABCDEF",
];

export function sampleOf(
  schema: Schema,
  shared: ReadonlyMap<string, Schema>,
  name = "",
  depth = 0,
): unknown {
  if (schema.$ref) {
    const target = shared.get(schema.$ref.replace(/#$/, ""));
    return target && depth < MAX_DEPTH ? sampleOf(target, shared, name, depth + 1) : {};
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) {
    const [first = {}] = schema.anyOf.filter(({ type }) => type !== "null");
    return sampleOf(first, shared, name, depth);
  }
  const [type = "object"] = [schema.type ?? "object"].flat();
  const known = byName[name];
  if (known !== undefined && [typeof known, "integer"].includes(type) && fits(schema, known)) {
    return known;
  }
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return true;
    case "integer":
    case "number":
      return numberOf(schema, name);
    case "string":
      return textOf(schema);
    case "array":
      return arrayOf(schema, shared, name, depth);
    default:
      return objectOf(schema, shared, depth);
  }
}

function fits({ pattern, minimum, maximum, maxLength }: Schema, value: unknown): boolean {
  if (typeof value === "number") {
    return value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity);
  }
  const text = String(value);
  return (
    text.length <= (maxLength ?? Infinity) && (!pattern || new RegExp(pattern, "u").test(text))
  );
}

function numberOf({ minimum = 0, maximum = Infinity }: Schema, name: string): number {
  const usual = /Fen$/.test(name) ? 150 : /(^id|Id)$/.test(name) ? 383217384136704 : 1;
  return Math.min(maximum, Math.max(minimum, usual));
}

function textOf(schema: Schema): string {
  if (schema["x-phone"]) return schema["x-phone"] === "PART" ? "1381" : "13812345678";
  switch (schema.format) {
    case "date-time":
      return MOMENT;
    case "date":
      return DAY;
    case "uuid":
      return UUID;
    case "binary":
      return "";
  }
  const shortest = schema.minLength ?? 0;
  const fitting = [
    ...(schema.pattern ? texts : ["文字".slice(0, schema.maxLength)]),
    "文字".repeat(Math.ceil(shortest / 2)),
  ].find((text) => text.length >= shortest && fits(schema, text));
  return fitting ?? "";
}

function arrayOf(schema: Schema, shared: ReadonlyMap<string, Schema>, name: string, depth: number) {
  if (Array.isArray(schema.items)) {
    return schema.items.map((each: Schema) => sampleOf(each, shared, name, depth + 1));
  }
  // A list of its own kind, such as the children of a menu entry, ends here.
  const isRecursive = schema.items?.$ref !== undefined && depth > 2;
  if (!schema.items || isRecursive || depth >= MAX_DEPTH) return [];
  const length = Math.max(1, schema.minItems ?? 1);
  return Array.from({ length }, () => sampleOf(schema.items as Schema, shared, name, depth + 1));
}

function objectOf(schema: Schema, shared: ReadonlyMap<string, Schema>, depth: number): object {
  const names = Object.keys(schema.properties ?? {}).filter(
    (name) => depth < MAX_DEPTH || schema.required?.includes(name),
  );
  return Object.fromEntries(
    names.map((name) => [
      name,
      sampleOf(schema.properties?.[name] as Schema, shared, name, depth + 1),
    ]),
  );
}
