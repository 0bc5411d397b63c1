// Shapes of a page request and of a page reply (specification §9).
import { type Static, type TProperties, type TSchema, Type } from "typebox";
import { named, schemaNameOf } from "./named.ts";

export const PAGE_SIZES = [10, 20, 30, 40, 50] as const;
export const DEFAULT_PAGE_SIZE = 10;
/** Counting a filtered list stops here; the reply then has `isTotalCapped`. */
export const TOTAL_CAP = 10_000;

const pageFields = {
  page: Type.Integer({ title: "页码", minimum: 1, maximum: 1_000_000, default: 1 }),
  pageSize: Type.Integer({
    title: "每页条数",
    minimum: 1,
    maximum: 100,
    default: DEFAULT_PAGE_SIZE,
  }),
};

export const PageRequest = Type.Object(pageFields);
export type PageRequest = Static<typeof PageRequest>;

/** Query of a list call: its filters and the page. */
export function PageQuery<Filters extends TProperties>(filters: Filters) {
  return Type.Object({ ...pageFields, ...filters }, { additionalProperties: false });
}

/** Reply of a list call: one page of the matching rows, named after them. */
export function PageOf<Item extends TSchema>(item: Item) {
  const page = Type.Object({
    list: Type.Array(item),
    total: Type.Integer(),
    isTotalCapped: Type.Optional(Type.Boolean()),
  });
  const name = schemaNameOf(item);
  return name ? named(`${name}Page`, page) : page;
}

/** Sums of a list cover at most this many of its first rows; the reply then has `isCapped`. */
export const SUM_CAP = 100_000;

/** Reply of the sums of a list: over all rows of its filters, money in fen. */
export function SumsOf<Fields extends TProperties>(fields: Fields) {
  return Type.Object({
    count: Type.Integer(),
    ...fields,
    isCapped: Type.Optional(Type.Boolean()),
  });
}

export interface Page<Item> {
  list: Item[];
  total: number;
  isTotalCapped?: boolean;
}
