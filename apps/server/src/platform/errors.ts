// Refusals: requests denied with an error code; every other error is a bug.
import {
  type Audience,
  type ErrorCode,
  type ErrorFacts,
  errorTable,
  errorText,
} from "@cabinet/contract/kit/errors.ts";

export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly text: string;
  /** Value of Retry-After. */
  readonly seconds: number | null;
  /** Path of the field at fault, such as `recipientPhone` or `items[0].no`. */
  readonly param: string | undefined;
  /** Scope that a third party's application lacks. */
  readonly scope: string | undefined;
  readonly facts: ErrorFacts | undefined;
  /** English sentence for third parties, of a text that is not in the error table. */
  readonly english: string | undefined;
  readonly #textFor: (audience: Audience) => string;

  constructor(
    code: ErrorCode,
    facts?: ErrorFacts,
    text?: string,
    param?: string,
    english?: string,
  ) {
    super(code);
    this.code = code;
    this.facts = facts;
    this.english = english;
    this.seconds = typeof facts?.seconds === "number" ? facts.seconds : null;
    this.param = param;
    this.scope = typeof facts?.scope === "string" ? facts.scope : undefined;
    this.status = errorTable[code].status;
    this.#textFor = (audience) => text ?? errorText(code, facts, audience);
    this.text = this.#textFor("console");
  }

  textFor(audience: Audience): string {
    return this.#textFor(audience);
  }
}

/** Ends the request and rolls its transaction back. */
export function refuse(code: ErrorCode, facts?: ErrorFacts): never {
  throw new Refusal(code, facts);
}

/**
 * Refuses input with the message of a rule shared by client and server; others are in the table.
 */
export function invalid(problem: string, param?: string): never {
  throw new Refusal("VALIDATION", undefined, problem, param);
}

/** A record as locked for an edit; null if it was never saved, which is version 0. */
type Edited = { editVersion: number; editedBy?: string | null } | null;

/** Refuses an edit of a record that somebody saved after it was opened. */
export function requireUnedited(before: Edited, editVersion: number | undefined): void {
  if ((before?.editVersion ?? 0) !== editVersion) refuseOutdated(before?.editedBy);
}

/**
 * Refuses an edit because somebody saved the record after it was opened; the name may be unknown.
 */
export function refuseOutdated(who: string | null | undefined): never {
  throw new Refusal("EDIT_OUTDATED", { who: who || "其他人" });
}
