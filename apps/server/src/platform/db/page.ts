// Offset pagination: the rows of a page and the total count, in one round trip.
import {
  PAGE_SIZES,
  type Page,
  type PageRequest,
  SUM_CAP,
  TOTAL_CAP,
} from "@cabinet/contract/kit/pagination.ts";
import type { Db, PageSource } from "./db.ts";
import { join, raw, type Sql, sql } from "./sql.ts";

const pageSizes = new Set<number>(PAGE_SIZES);
/** A literal, for the same reason as in `pageLimits`. */
const totalLimit = raw(`limit ${TOTAL_CAP + 1}`);
/** Fields of a list's query that exclude no rows. */
const orderFields = new Set(["page", "pageSize", "sort", "order"]);

export const isFiltered = (query: object): boolean =>
  Object.entries(query).some(([field, value]) => value !== undefined && !orderFields.has(field));

/** True for the first page of a whole list. */
export const isPlainFirstPage = (query: PageRequest): boolean =>
  query.page === 1 && !isFiltered(query) && pageSizes.has(query.pageSize);

/**
 * The `limit` and `offset` of the requested page. PostgreSQL plans a parameter as limit anew in each execution, which
 * costs more than a page's rows: the unfiltered first page has a literal. A filtered one is still planned by its values.
 */
export function pageLimits(query: PageRequest): Sql {
  const { page, pageSize } = query;
  if (isPlainFirstPage(query)) return raw(`limit ${pageSize}`);
  return sql`limit ${pageSize} offset ${(page - 1) * pageSize}`;
}

/**
 * One pass over a list of at most `max` rows, `size` at a time: a cursor over the query of a first
 * page of `max` rows. Its total is exact, or `max + 1` where there are more.
 */
export function pagesOf(db: Db, { max, size }: { max: number; size: number }): PageSource {
  let total: number | null = null;
  return {
    async next<Row>({ rows, matching }: { rows: Sql; matching: Sql }) {
      if (total === null) {
        const counted = await db.one<{ total: number }>(sql`
          select count(*)::int as total from (select ${matching} limit ${max + 1}) found`);
        total = counted.total;
        if (total > max) return { list: [], total };
        await db.run(sql`declare list_rows no scroll cursor for ${rows}`);
      }
      const list = await db.many<Row>(sql([`fetch ${size} from list_rows`]));
      return { list, total };
    },
  };
}

/**
 * `rows` selects the page; `matching` is `from … where …` of all its rows, counted up to the cap. A list that exceeded it
 * a moment ago is not counted again: that takes longer than its page.
 */
export async function findPage<Row>(
  db: Db,
  { rows, matching }: { rows: Sql; matching: Sql },
): Promise<Page<Row>> {
  if (db.pages) return db.pages.next<Row>({ rows, matching });
  const counting = sql`
    select count(*)::int as total from (select ${matching} ${totalLimit}) found`;
  const key = JSON.stringify([counting.text, counting.values]);
  const capped = { total: TOTAL_CAP, isTotalCapped: true };
  if (db.longLists?.has(key)) return { list: await db.many<Row>(rows), ...capped };
  const [list, { total }] = await Promise.all([
    db.many<Row>(rows),
    db.one<{ total: number }>(counting),
  ]);
  if (total <= TOTAL_CAP) return { list, total };
  db.longLists?.add(key);
  return { list, ...capped };
}

export type Sums<Name extends string> = Record<Name, number> & {
  count: number;
  isCapped?: boolean;
};

/** Sums of `columns`, each selected by `rows` under its name, over the first rows up to the cap. */
export async function findSums<Name extends string>(
  db: Db,
  { columns, rows }: { columns: readonly string[]; rows: Sql },
): Promise<Sums<Name>> {
  const sums = columns.map((column) => raw(`coalesce(sum(${column}), 0)::bigint as ${column}`));
  const found = await db.one<Sums<Name>>(sql`
    select count(*)::int as count, ${join(sums, ", ")} from (${rows} limit ${SUM_CAP}) summed`);
  return found.count === SUM_CAP ? { ...found, isCapped: true } : found;
}
