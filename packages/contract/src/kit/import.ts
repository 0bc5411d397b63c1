// Shapes of a call that imports lines of a file; each line is judged by itself, with a sentence instead of a schema error.

import { type TProperties, Type } from "typebox";
import { OneOf, Strict } from "./fields.ts";
import { IMPORT_MODES, LINE_RESULTS } from "./import.rules.ts";
import { named } from "./named.ts";

/** Longest text of a cell: longer than any field, so that the field names its own limit. */
const MAX_CELL = 1000;
const LAST_LINE = 1_048_576;

/** Body of an import: `schema` has the fields that cells become. */
export function ImportBody<Fields extends TProperties, Others extends TProperties>(
  fields: Fields,
  others: Others,
  most: number,
) {
  const cells = Object.entries(fields).map(([name, { title }]: [string, { title?: string }]) => [
    name,
    Type.String({ ...(title && { title }), maxLength: MAX_CELL }),
  ]);
  const line = {
    line: Type.Integer({ title: "行号", minimum: 1, maximum: LAST_LINE }),
    ...Object.fromEntries(cells),
  };
  type Line = { line: number } & Record<keyof Fields & string, string>;
  return Strict({
    mode: OneOf(IMPORT_MODES, "导入方式"),
    lines: Type.Array(Type.Unsafe<Line>(Strict(line)), {
      title: "行",
      minItems: 1,
      maxItems: most,
    }),
    ...others,
  });
}

export const ImportReply = named(
  "ImportReply",
  Type.Object({
    imported: Type.Integer({ description: "导入的行数；ALL_OR_NONE 有一行有误时为 0" }),
    lines: Type.Array(
      Type.Object({
        line: Type.Integer(),
        result: OneOf(LINE_RESULTS),
        message: Type.String(),
      }),
    ),
  }),
);
