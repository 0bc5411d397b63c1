// The facts by which a noun is imported; columns, checks and the call are all it declares.
import type { ImportMode, LineVerdict } from "@cabinet/contract/kit/import.rules.ts";
import type { ReactNode } from "react";
import type { ImportColumns, Judge, JudgedLine, ReadLine } from "./import.rules.ts";

export type ValuesLine<Name extends string> = Pick<ReadLine<Name>, "line" | "values">;

export interface ImportReply {
  imported: number;
  lines: readonly LineVerdict[];
}

export interface ImportSpec<Name extends string, Reply extends ImportReply> {
  /** Under which the titles of other people's files are remembered. */
  key: string;
  /** `新设备`, `门店`. */
  thing: string;
  /** `台`, `家`. */
  unit: string;
  columns: ImportColumns<Name>;
  /** Lines of one call. */
  most: number;
  /** Drop-down lists of the template. */
  choices?: Partial<Record<Name, readonly string[]>>;
  /** A choice that comes before the file, as the tenant; `isMissing`: still to be made. */
  before?: { control: ReactNode; isMissing: boolean };
  /** The last of the steps: what to do after the import. */
  afterwards?: string;
  /** Checks the lines by the server's rules. */
  judge: Judge<Name>;
  /** The same `importId` again after a lost answer imports nothing twice. */
  send: (request: {
    importId: string;
    mode: ImportMode;
    lines: readonly ValuesLine<Name>[];
  }) => Promise<Reply>;
  /** Shown below the account of a finished import. */
  result?: (reply: Reply, lines: readonly JudgedLine<Name>[]) => ReactNode;
  /** False: the person stays with the result. */
  mayLeave?: () => Promise<boolean>;
}
