// Parser for the XML subset of WeChat's pushes: elements, text and CDATA; no attributes,
// declarations or custom entities.

/** A field is a text, nested fields, or several of either. */
export type XmlFields = { [name: string]: XmlValue };
export type XmlValue = string | XmlFields | XmlValue[];

const MAX_DEPTH = 8;
const TOKEN = /<!\[CDATA\[([\s\S]*?)\]\]>|<\/([\w:.-]+)\s*>|<([\w:.-]+)\s*(\/?)>|([^<]+)/y;
const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&apos;": "'",
};

/** Fields below the root element. Throws on anything outside the subset. */
export function readXml(text: string): XmlFields {
  const top: XmlFields = {};
  const open: { name: string; fields: XmlFields; text: string }[] = [
    { name: "", fields: top, text: "" },
  ];
  const scan = new RegExp(TOKEN);
  const source = text.trim();
  while (scan.lastIndex < source.length) {
    const token = scan.exec(source);
    const current = open.at(-1);
    if (!token || !current) throw new Error("not the XML that is understood here");
    const [, data, closed, opened, isEmpty, plain] = token;
    if (data !== undefined) current.text += data;
    else if (plain !== undefined) {
      current.text += plain.replace(/&\w+;/g, (entity) => entities[entity] ?? entity);
    } else if (opened !== undefined) {
      if (open.length > MAX_DEPTH) throw new Error("too deep");
      if (isEmpty) add(current.fields, opened, "");
      else open.push({ name: opened, fields: {}, text: "" });
    } else {
      const parent = open.at(-2);
      if (current.name !== closed || !parent) throw new Error("not closed in order");
      open.pop();
      const hasFields = Object.keys(current.fields).length > 0;
      add(parent.fields, current.name, hasFields ? current.fields : current.text.trim());
    }
  }
  const [root] = Object.values(top);
  if (open.length !== 1 || typeof root !== "object" || Array.isArray(root)) {
    throw new Error("not one element");
  }
  return root;
}

function add(fields: XmlFields, name: string, value: XmlValue): void {
  const there = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const next =
    there === undefined ? value : Array.isArray(there) ? [...there, value] : [there, value];
  Object.defineProperty(fields, name, {
    value: next,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
