// Validates parsed JSON into typed messages: drops unknown fields, returns typed failures.
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import {
  COMMAND_TYPES,
  type Command,
  type CommandType,
  commandSchemas,
  type DownMessages,
  downSchemas,
} from "./down-messages.ts";
import type { RejectReason } from "./fields.ts";
import { isSupportedVersion } from "./limits.ts";
import { type SetAside, setMinorFieldsAside } from "./set-aside.ts";
import type { DownKind, UpKind } from "./topics.ts";
import { type UpMessages, upSchemas } from "./up-messages.ts";

/**
 * VERSION: neither this version nor the previous one. MALFORMED: `detail` names the first invalid
 * field.
 */
export type MessageError = "VERSION" | "MALFORMED";

export type ParsedMessage<T> =
  | { readonly ok: true; readonly message: T }
  | { readonly ok: false; readonly error: MessageError; readonly detail: string };

/** Like `ParsedMessage`; `setAside` are the fields whose invalid values were ignored. */
export type ParsedReport<T> =
  | { readonly ok: true; readonly message: T; readonly setAside: readonly SetAside[] }
  | Extract<ParsedMessage<T>, { ok: false }>;

/** Like `ParsedMessage`, with the fields a cabinet needs to reject an unreadable command. */
export type ParsedCommand =
  | { readonly ok: true; readonly message: Command }
  | {
      readonly ok: false;
      readonly error: Extract<RejectReason, "VERSION" | "MALFORMED" | "UNKNOWN_COMMAND">;
      readonly detail: string;
      readonly cmdId?: string;
      readonly seq?: number;
    };

const validators = new Map<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function parseBy<T>(schema: TSchema, value: unknown): ParsedMessage<T> {
  const v = fieldOf(value, "v");
  if (typeof v !== "number") return { ok: false, error: "MALFORMED", detail: "/v must be number" };
  if (!isSupportedVersion(v)) return { ok: false, error: "VERSION", detail: String(v) };
  const validator = validatorOf(schema);
  if (!validator.Check(value)) {
    const first = validator.Errors(value)[0];
    const detail = first ? `${first.instancePath || "/"} ${first.message}` : "/";
    return { ok: false, error: "MALFORMED", detail };
  }
  return { ok: true, message: validator.Clean(value) as T };
}

/**
 * Validates a report. An invalid measurement or text that decides nothing about doors is set aside, not the report.
 * Never throws.
 */
export function parseUp<K extends UpKind>(kind: K, value: unknown): ParsedReport<UpMessages[K]> {
  const schema = upSchemas[kind];
  const first = parseBy<UpMessages[K]>(schema, value);
  if (first.ok) return { ...first, setAside: [] };
  if (first.error !== "MALFORMED") return first;
  const rest = structuredClone(value);
  const setAside = setMinorFieldsAside(kind, rest, schema, (field, inner) =>
    validatorOf(field).Check(inner),
  );
  const second = parseBy<UpMessages[K]>(schema, rest);
  return second.ok ? { ...second, setAside } : second;
}

/** Validates a hello, config or job. Never throws. */
export function parseDown<K extends Exclude<DownKind, "cmd">>(
  kind: K,
  value: unknown,
): ParsedMessage<DownMessages[K]> {
  return parseBy(downSchemas[kind], value);
}

function isCommandType(type: unknown): type is CommandType {
  return COMMAND_TYPES.some((known) => known === type);
}

/** Validates a command; a failure contains the answer of the cabinet and the command's id. */
export function parseCommand(value: unknown): ParsedCommand {
  const type = fieldOf(value, "type");
  const parsed: ParsedCommand = isCommandType(type)
    ? parseBy<Command>(commandSchemas[type], value)
    : { ok: false, error: "UNKNOWN_COMMAND", detail: "/type" };
  if (parsed.ok) return parsed;
  const cmdId = fieldOf(value, "cmdId");
  const seq = fieldOf(value, "seq");
  return {
    ...parsed,
    ...(typeof cmdId === "string" && /^[A-Za-z0-9_-]{8,40}$/.test(cmdId) && { cmdId }),
    ...(Number.isSafeInteger(seq) && (seq as number) >= 0 && { seq: seq as number }),
  };
}
