// Lists the fields of a message, by its schema or as sent in a frame; paths as in the documents:
// `a.b`, `a[].b`.

interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  required?: readonly string[];
  items?: SchemaNode | readonly SchemaNode[];
  enum?: readonly unknown[];
  const?: unknown;
}

export interface SchemaField {
  /** Required within the object that it belongs to. */
  isRequired: boolean;
  /** All allowed values of an enum or constant; empty for other fields. */
  values: string[];
}

export function fieldsOfSchema(schema: object, prefix = ""): Map<string, SchemaField> {
  const { properties = {}, required = [] } = schema as SchemaNode;
  const fields = new Map<string, SchemaField>();
  for (const [name, node] of Object.entries(properties)) {
    const path = prefix + name;
    const values = node.enum ?? (node.const === undefined ? [] : [node.const]);
    fields.set(path, { isRequired: required.includes(name), values: values.map(String) });
    const [inner, below] = Array.isArray(node.items)
      ? [{}, ""]
      : node.items
        ? [node.items, `${path}[].`]
        : [node, `${path}.`];
    for (const [key, field] of fieldsOfSchema(inner, below)) fields.set(key, field);
  }
  return fields;
}

export function fieldsOfMessage(value: unknown, prefix = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOfMessage(item, `${prefix}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = prefix ? `${prefix}.${name}` : name;
    return [path, ...fieldsOfMessage(inner, path)];
  });
}
