// Parses a Range header of one span of bytes; anything else is answered with the whole file (RFC 9110 §14.2).

export interface Span {
  start: number;
  /** Inclusive. */
  end: number;
}

/** Null: send everything. */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): Span | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? "unsatisfiable" : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= sizeBytes ? "unsatisfiable" : { start, end };
}
