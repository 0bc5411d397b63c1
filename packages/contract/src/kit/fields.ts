// Field types that several contracts share.
import { type Static, type TProperties, type TSchema, Type } from "typebox";
import { named } from "./named.ts";
import type { PhoneForm } from "./phone.rules.ts";

/** ISO 8601 in UTC. */
export const Timestamp = Type.String({ format: "date-time" });
/**
 * `2026-11-21`, a day in Shanghai; the year starts with 1 or 2, so date arithmetic stays in range.
 */
export const Day = Type.String({ format: "date", pattern: "^[12]\\d{3}-" });
/** A day in an answer: a period before a given `Day` may begin outside of its range. */
export const AnyDay = Type.String({ format: "date" });
/** Largest value of a PostgreSQL `integer` column. */
const MAX_INTEGER = 2_147_483_647;
const idRange = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
export const Id = Type.Integer(idRange);
/** Id of a record; `title` is its name in refusals. */
export const idOf = (title: string) => Type.Integer({ title, ...idRange });
export const StoreId = idOf("门店");
export const ModelId = idOf("型号");
export const OrderId = idOf("订单号");
export const AppId = idOf("接口应用");
/** Tenant ids are stored as `integer`, hence the smaller maximum. */
export const TenantId = Type.Integer({ title: "租户", minimum: 1, maximum: MAX_INTEGER });

const version = (minimum: number, description: string) =>
  Type.Integer({ title: "版本", minimum, maximum: MAX_INTEGER, description });
export const EditVersion = version(1, "读到时的版本，原样交回，防止覆盖他人的修改");
export const EditVersionOrNew = version(0, "读到时的版本，原样交回；0 表示还没有保存过");

/** Count or amount from 0 up; `description` says of what. */
export const amountOf = (title: string, description: string) =>
  Type.Integer({ title, minimum: 0, maximum: MAX_INTEGER, description });
export const Uuid = Type.String({ format: "uuid" });

/** An object that refuses unknown fields (promise I2). */
export function Strict<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false });
}

/** Query of a call whose parameters in the specification are all ignored. */
export const IgnoredQuery = Type.Object({});

/** Enum of these strings. */
export function OneOf<const Words extends readonly string[]>(words: Words, title?: string) {
  return Type.Unsafe<Words[number]>({ type: "string", enum: [...words], ...(title && { title }) });
}

/** The schema or null, as a type list: serialisers handle that much faster than a union. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: words } = schema as { type?: string; enum?: unknown[] };
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [type, "null"],
    ...(words && { enum: [...words, null] }),
  });
}

/** The schema with its meaning for readers of the API document. */
export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

/** Phone field: the server checks it by `phone.rules.ts` and passes on the normalised number. */
const phoneOf = (form: PhoneForm, title: string, description: string) =>
  Type.String({ title, description, maxLength: 32, "x-phone": form });
const PHONE_FORMS_TEXT = "11 位手机号；可带 +86、0086 或 86，以及空格和短横线";
export const Phone = phoneOf("WHOLE", "手机号", PHONE_FORMS_TEXT);
export const OptionalPhone = phoneOf("OPTIONAL", "手机号", `${PHONE_FORMS_TEXT}；空为不留手机号`);
/**
 * Filter by a phone: whole, its last four digits, or, for accounts with the permission to reveal such phones, another
 * part, which counts as a reveal (0135).
 */
export const phonePartOf = (reveal: string) => ({
  ...phoneOf(
    "PART",
    "手机号",
    "完整的手机号或后四位；有查看完整手机号的权限时也可以是其中 5 至 10 位，计一次查看",
  ),
  "x-phone-reveal": reveal,
});
/** Replies of the calls that reveal a whole phone. */
export const RevealedPhone = named("RevealedPhone", Type.Object({ phone: Type.String() }));
export const RevealedContact = named(
  "RevealedContact",
  Type.Object({ contactPhone: Type.String() }),
);
export const PersonPhonePart = phonePartOf("end-user:reveal");

/** Name that a person gives: the server normalises it and refuses what nobody can see (`name.rules.ts`). */
export const nameOf = (title: string, minLength: number, maxLength: number) =>
  Type.String({ title, minLength, maxLength, "x-name": true });
export const optionalNameOf = (title: string, maxLength: number) =>
  Type.String({ title, maxLength, "x-name": true });

/** Reason typed by a person, for the log: why goods or doors are touched. */
export const Reason = Type.String({ title: "原因", minLength: 2, maxLength: 200, pattern: "\\S" });

export const IdParams = Strict({ id: Id });
