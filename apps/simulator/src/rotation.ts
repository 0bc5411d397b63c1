// Reloads the credentials file when it changes or on SIGHUP, for rotated secrets.
import { watchFile } from "node:fs";
import type { SimulatedCabinet } from "@cabinet/link";
import { readCredentials, UsageError } from "./options.ts";

/** Polling interval: file events are missing on some file systems, such as mounted folders. */
const LOOK_EVERY_MS = 1_000;

/** An unreadable or half-written file changes nothing; its completion triggers another read. */
export function watchCredentials(
  file: string,
  on: { onChange: (cabinets: readonly SimulatedCabinet[]) => void; log: (line: string) => void },
): void {
  const readAgain = () => {
    readCredentials(file).then(
      ({ cabinets }) => on.onChange(cabinets),
      (error: unknown) => {
        if (!(error instanceof UsageError)) throw error;
        on.log(`出错 ${error.message}仍用原来的密钥。`);
      },
    );
  };
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, readAgain);
  process.on("SIGHUP", readAgain);
}
