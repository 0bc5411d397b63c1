// Records the statements that code under test sends through a database handle.
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import type { Sql } from "../../apps/server/src/platform/db/sql.ts";

/** Handle of the same transaction; `statements` are its reads so far, in their order. */
export function recordingOf(db: Db): { recording: Db; statements: Sql[] } {
  const statements: Sql[] = [];
  const recorded =
    <Result>(run: (statement: Sql) => Promise<Result>) =>
    (statement: Sql) => {
      statements.push(statement);
      return run(statement);
    };
  const { many, maybe, one } = db;
  const reads = { many: recorded(many), maybe: recorded(maybe), one: recorded(one) };
  // Not a spread: it would read the vault, which some databases are opened without.
  return { recording: Object.assign(Object.create(db), reads), statements };
}
