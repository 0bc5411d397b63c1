// Conditions of list filters.
import { expect, test } from "vitest";
import { and, periodSql, sql, textSql } from "./sql.ts";

test("list filters: one that is not set adds no condition", () => {
  const period = periodSql(sql`at`, {});
  const unset = [undefined, null, false, "", 0, textSql("  ", sql`name`), period] as const;
  expect(and(sql`tenant_id = ${7}`, ...unset).text).toBe("tenant_id = $1");
});

test("list filters: a text is searched in each column, a period ends with its last second", () => {
  const found = and(
    textSql(" 50% ", sql`name`, sql`remark`),
    periodSql(sql`at`, { from: "2026-01-01", to: "2026-01-02" }),
    periodSql(sql`at`, { to: "2026-01-03" }),
  );
  expect(found.text).toBe(
    "(name ilike $1 or remark ilike $2) and at >= $3 and " +
      "at < date_trunc('second', $4::timestamptz) + interval '1 second' and " +
      "at < date_trunc('second', $5::timestamptz) + interval '1 second'",
  );
  expect(found.values).toEqual(["%50\\%%", "%50\\%%", "2026-01-01", "2026-01-02", "2026-01-03"]);
});
