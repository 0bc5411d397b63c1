// Finds statements in a migration that stop requests on big tables, or break the release that still runs.
import type { Migration } from "../../apps/server/src/platform/db/migration-files.ts";

/** Tables that grow with cabinets, orders, messages or people: no statement may hold them for as long as it reads them. */
export const BIG_TABLES = [
  ...["app_session", "audit_link", "audit_log", "business_order"],
  ...["business_order_change", "cabinet", "cabinet_event"],
  ...["callback_attempt", "callback_delivery", "callback_event", "command", "compartment"],
  ...["end_user", "idempotency_key", "ledger_journal", "ledger_leg", "list_export_chunk"],
  ...["live_order", "login_log", "malfunction", "malfunction_event", "malfunction_signal"],
  ...["mini_program_user", "occupancy_hour", "open_call", "order_day", "order_delta"],
  ...["order_event", "order_telling", "payment_notice", "sms_credit_entry", "sms_message"],
  ...["storage_order", "stored_object", "subscribe_message", "top_up", "user_package", "wallet"],
  ...["wallet_hold"],
];
const PARTITIONED = ["order_event", "storage_order"];
const VOLATILE = /\b(?:gen_random_uuid|uuidv7|random|clock_timestamp|nextval|new_order_id)\s*\(/;
const INDEX =
  /^create (?:unique )?index (concurrently )?(?:if not exists )?(\w+)? ?on (?:only )?(\w+)/;

/** The statements without comments, texts and bodies of functions, in lower case and with single spaces. */
function statementsOf(text: string): string[] {
  return text
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|--.*$|\/\*[\s\S]*?\*\//gm, (part) =>
      part.startsWith("-") || part.startsWith("/") ? " " : "''",
    )
    .split(";")
    .map((statement) => statement.toLowerCase().replace(/"/g, "").replace(/\s+/g, " ").trim())
    .filter((statement) => statement !== "");
}

/** Sentences, each with the statement that it is about; `releases` are those that were published. */
export function lintMigration(
  { text, oldestRelease, isConcurrent }: Pick<Migration, "text" | "oldestRelease" | "isConcurrent">,
  releases: string[],
): string[] {
  const problems: string[] = [];
  const statements = statementsOf(text);
  const created = new Set(
    statements.flatMap((each) => /^create table (?:if not exists )?(\w+)/.exec(each)?.[1] ?? []),
  );
  if (oldestRelease && !releases.includes(oldestRelease)) {
    problems.push(`oldest release ${oldestRelease}: no such release was published`);
  }
  for (const statement of statements) {
    const report = (problem: string) => problems.push(`${problem}: ${statement.slice(0, 100)}`);
    if (/\block_timeout\b/.test(statement)) report("the runner sets lock_timeout");
    lintIndex(statement, { created, isConcurrent, report, all: statements });
    const changed = /^alter table (?:if exists )?(?:only )?(\w+)/.exec(statement)?.[1] ?? "";
    const written = /^(?:update|delete from) (?:only )?(\w+)/.exec(statement)?.[1] ?? "";
    if (BIG_TABLES.includes(changed) && !created.has(changed)) {
      const problem = problemOfBig(statement);
      if (problem) report(problem);
    }
    if (BIG_TABLES.includes(written) && !created.has(written)) {
      report("rows of a big table are changed in batches, by a job");
    }
    if (/^(?:vacuum full|cluster|reindex)\b/.test(statement)) report("rewrites a table");
    const isContract = !created.has(changed) && breaksEarlierRelease(statement);
    if (isContract && !oldestRelease) {
      report("breaks the release before: needs a line `-- oldest release: …`");
    }
  }
  return problems;
}

interface Surroundings {
  created: Set<string>;
  isConcurrent: boolean;
  all: string[];
  report(problem: string): void;
}

function lintIndex(statement: string, { created, isConcurrent, all, report }: Surroundings): void {
  const [found, concurrently, name, table = ""] = INDEX.exec(statement) ?? [];
  if (isConcurrent && !/^(?:drop|create (?:unique )?)\s?index concurrently /.test(statement)) {
    report("stands in a file of its own: others of this file run without a transaction");
  }
  if (!found) return;
  if (!concurrently) {
    if (BIG_TABLES.includes(table) && !created.has(table)) report("a big table needs concurrently");
    return;
  }
  if (PARTITIONED.includes(table)) report("PostgreSQL has no concurrent index of all partitions");
  // A build that was interrupted leaves an invalid index of this name.
  if (!all.includes(`drop index concurrently if exists ${name}`)) {
    report(`begins with \`drop index concurrently if exists ${name}\``);
  }
}

/** Reads or rewrites all rows while requests wait. */
function problemOfBig(statement: string): string | null {
  if (/\balter (?:column )?\w+ (?:set data )?type\b/.test(statement)) return "rewrites a big table";
  if (/\bgenerated always as \(.*stored\b|\bset (?:un)?logged\b|\btablespace\b/.test(statement)) {
    return "rewrites a big table";
  }
  if (/\badd (?:column )?(?!constraint)/.test(statement) && VOLATILE.test(statement)) {
    return "a volatile default rewrites a big table";
  }
  if (/\b(?:identity|bigserial|serial)\b/.test(statement)) return "rewrites a big table";
  if (/\bset not null\b/.test(statement))
    return "reads a big table: not valid check, then validate";
  if (/\b(?:check ?\(|foreign key|references)/.test(statement) && !/not valid/.test(statement)) {
    return "reads a big table: add the constraint `not valid`, validate it in the next file";
  }
  if (/\b(?:unique|primary key|exclude)\b/.test(statement) && !/using index/.test(statement)) {
    return "builds an index while writes wait: create it concurrently, then `using index`";
  }
  return null;
}

/** True if statements of the release before, which still runs, may fail afterwards. */
function breaksEarlierRelease(statement: string): boolean {
  if (/^drop (?:table|view|function|type|sequence|materialized view)\b/.test(statement))
    return true;
  if (!statement.startsWith("alter ")) return false;
  const isRequired = (clause: string) =>
    /\badd (?:column )?(?!constraint).*\bnot null\b/.test(clause) &&
    !/\bdefault\b|\bgenerated\b/.test(clause);
  if (statement.split(/, (?=add )/).some(isRequired)) return true;
  return /\bdrop (?:column|default)\b|\bdrop (?!constraint|not null|expression|identity)\w+|\brename\b|\bset not null\b|\balter (?:column )?\w+ (?:set data )?type\b/.test(
    statement,
  );
}
