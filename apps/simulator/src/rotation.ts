// Rotated secrets: the credentials file is read again when it changes, or when a SIGHUP says so.
import { watchFile } from "node:fs";
import type { SimulatedCabinet } from "@cabinet/link";
import { readCredentials, UsageError } from "./options.ts";

/** Also where the system tells of no changes, such as a mounted folder. */
const LOOK_EVERY_MS = 1_000;

/** A file that cannot be read leaves everything as it is; half of one comes whole a moment later. */
export function watchCredentials(
  file: string,
  on: { onChange: (cabinets: readonly SimulatedCabinet[]) => void; tell: (line: string) => void },
): void {
  const readAgain = () => {
    readCredentials(file).then(
      ({ cabinets }) => on.onChange(cabinets),
      (error: unknown) => {
        if (!(error instanceof UsageError)) throw error;
        on.tell(`出错 ${error.message}仍用原来的密钥。`);
      },
    );
  };
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, readAgain);
  process.on("SIGHUP", readAgain);
}
