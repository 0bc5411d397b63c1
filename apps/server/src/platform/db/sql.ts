// SQL templates. Features use them only in *.sql.ts (import rules).
export { default as sql, join, raw, type Sql } from "sql-template-tag";
