// Saves the valid lines of an import, all or none of them if the request says so.
import type { DraftVerdict, ImportMode, LineVerdict } from "@cabinet/contract/kit/import.rules.ts";

/** Records that an audit entry names. */
const NAMED_IN_AUDIT = 20;

export interface SavedLines<Draft> {
  reply: { imported: number; lines: LineVerdict[] };
  saved: Draft[];
  refused: number;
}

export async function saveLines<Draft>(
  judged: readonly DraftVerdict<Draft>[],
  mode: ImportMode,
  save: (draft: Draft) => Promise<void>,
): Promise<SavedLines<Draft>> {
  const ready = judged.filter(({ result }) => result === "READY");
  const isWanted = mode === "VALID_ONLY" || ready.length === judged.length;
  const saved = isWanted ? ready.map(({ draft }) => draft) : [];
  for (const draft of saved) await save(draft);
  const lines = judged.map(({ line, result, message }) =>
    isWanted && result === "READY"
      ? { line, result: "IMPORTED" as const, message: "已导入" }
      : { line, result, message },
  );
  const refused = judged.length - ready.length;
  return { reply: { imported: saved.length, lines }, saved, refused };
}

/** The first names, and how many more there are. */
export function namedInAudit(names: readonly string[]): string[] {
  const rest = names.length - NAMED_IN_AUDIT;
  return rest > 0 ? [...names.slice(0, NAMED_IN_AUDIT), `等 ${rest} 项`] : [...names];
}
