// Sets invalid fields aside that decide nothing about doors, so that the rest of a report still counts.
import type { TSchema } from "typebox";
import type { UpKind } from "./topics.ts";

/** A field of a report whose value was ignored; `value` is undefined if a required field is missing. */
export interface SetAside {
  /** Path of names, such as `temperatureC` or `job.reason`. */
  readonly field: string;
  readonly value: unknown;
}

/** A field that may be set aside: `*` stands for each entry of an array. */
interface MinorField {
  path: readonly string[];
  /** Takes the place of an invalid value; without one the field is removed. */
  otherwise?: unknown;
}

/** Takes the place of a program version that cannot be read. */
export const UNKNOWN_APP_VERSION = "unknown";

const minor = (path: string, otherwise?: unknown): MinorField => ({
  path: path.split("."),
  otherwise,
});

/**
 * Inner fields stand before the objects that hold them. All other fields identify a report or decide about doors: an
 * invalid one drops the report.
 */
const minorFields: Record<UpKind, readonly MinorField[]> = {
  birth: [
    minor("at"),
    minor("side", "SINGLE"),
    minor("appVersion", UNKNOWN_APP_VERSION),
    minor("boardVersion"),
    minor("capabilities", []),
    minor("configVersion", 0),
    minor("playlistVersion", 0),
    minor("signalDbm"),
    minor("temperatureC"),
    minor("journal.*.reason"),
  ],
  state: [
    minor("at"),
    minor("cmdId"),
    minor("config"),
    minor("playlist.files.*.reason"),
    minor("playlist"),
  ],
  evt: [
    minor("at"),
    minor("active"),
    minor("cmdId"),
    minor("value"),
    minor("job.reason"),
    minor("job"),
  ],
  ack: [minor("at"), minor("reason")],
  hb: [
    minor("at"),
    minor("signalDbm"),
    minor("temperatureC"),
    minor("supplyVolts"),
    minor("openDoors", 0),
    minor("badFrames", 0),
  ],
  will: [],
};

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The objects that hold the last field of the path, and the schema of such an object. */
function holdersOf(message: Fields, root: TSchema, path: readonly string[]) {
  let values: unknown[] = [message];
  let schema: TSchema | undefined = root;
  for (const name of path.slice(0, -1)) {
    values = values.flatMap((value) => {
      if (name === "*") return Array.isArray(value) ? value : [];
      return isObject(value) && Object.hasOwn(value, name) ? [value[name]] : [];
    });
    const { items, properties } = schema as {
      items?: TSchema;
      properties?: Record<string, TSchema>;
    };
    schema = name === "*" ? items : properties?.[name];
    if (!schema) throw new Error(`no field ${path.join(".")}`);
  }
  return { holders: values.filter(isObject), schema };
}

/** Removes or replaces the invalid minor fields of `message` in place and returns them, each once. */
export function setMinorFieldsAside(
  kind: UpKind,
  message: unknown,
  root: TSchema,
  isValid: (schema: TSchema, value: unknown) => boolean,
): SetAside[] {
  if (!isObject(message)) return [];
  const found = new Map<string, SetAside>();
  for (const { path, otherwise } of minorFields[kind]) {
    const name = path.at(-1) ?? "";
    const field = path.filter((part) => part !== "*").join(".");
    const { holders, schema } = holdersOf(message, root, path);
    const { properties, required } = schema as unknown as {
      properties: Record<string, TSchema>;
      required?: string[];
    };
    const fieldSchema = properties[name];
    if (!fieldSchema) throw new Error(`no field ${path.join(".")}`);
    for (const holder of holders) {
      const isThere = Object.hasOwn(holder, name);
      const value = isThere ? holder[name] : undefined;
      if (isThere ? isValid(fieldSchema, value) : !required?.includes(name)) continue;
      if (!found.has(field)) found.set(field, { field, value });
      if (otherwise === undefined) delete holder[name];
      else holder[name] = structuredClone(otherwise);
    }
  }
  return [...found.values()];
}
