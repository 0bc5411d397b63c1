// Type of the catalogue's entries: a part in one of its states.
import type { ComponentType } from "react";
import type { Session } from "../src/kit/session.ts";
import type { Answer } from "./answers.ts";

export interface State {
  show: ComponentType;
  /** Query string at the start. */
  search?: string;
  /** Differences from the session of a tenant's administrator. */
  session?: Partial<Session>;
  /** Answers to the state's requests. */
  answers?: readonly Answer[];
  /** Names of buttons that are pressed one after another to reach the state. */
  press?: readonly string[];
}

export type Parts = Record<string, Record<string, State>>;
