// Field types that many nouns share.
import { type Static, type TProperties, type TSchema, Type } from "typebox";

/** ISO 8601 in UTC. */
export const Timestamp = Type.String({ format: "date-time" });
/** `2026-11-21`, a day in Shanghai. */
export const Day = Type.String({ format: "date" });
const idRange = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
export const Id = Type.Integer(idRange);
export const StoreId = Type.Integer({ title: "门店", ...idRange });
export const ModelId = Type.Integer({ title: "型号", ...idRange });
export const OrderId = Type.Integer({ title: "订单号", ...idRange });
export const AppId = Type.Integer({ title: "接口应用", ...idRange });
/** Tenants have smaller numbers than the rest. */
export const TenantId = Type.Integer({ title: "租户", minimum: 1, maximum: 2_147_483_647 });
export const Uuid = Type.String({ format: "uuid" });

/** An object that refuses unknown fields (promise I2). */
export function Strict<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false });
}

/** One of these words. */
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

/** Digits of a phone, at least so many that few people have them. */
export const PhonePart = Type.String({
  title: "手机号（至少 4 位数字）",
  maxLength: 16,
  pattern: "^\\s*[0-9]{4,11}\\s*$",
});

/** A sentence by a person, for the log: why goods or doors are touched. */
export const Reason = Type.String({ title: "原因", minLength: 2, maxLength: 200, pattern: "\\S" });

export const IdParams = Strict({ id: Id });
