// Scans stored uploads with clamd (its INSTREAM command).
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { refuse } from "../errors.ts";
import type { Log } from "../log.ts";
import { uploadScans } from "../metrics.ts";

/** A Unix socket, or host and port. */
export type ClamdAddress = { path: string } | { host: string; port: number };

/** Longer than clamd takes for the largest upload. */
const SILENT_MS = 60_000;
const RETRY_AFTER_SECONDS = 30;

/** Refuses the content unless clamd answers that it is clean. */
export async function requireClean(
  content: AsyncIterable<Buffer>,
  clamd: ClamdAddress,
  log: Log,
): Promise<void> {
  const said = await answerOf(content, clamd);
  const virus = /^stream: (.+) FOUND$/.exec(said)?.[1];
  const outcome = virus ? "INFECTED" : said === "stream: OK" ? "CLEAN" : "UNAVAILABLE";
  uploadScans.inc({ outcome });
  if (outcome === "CLEAN") return;
  log.warn({ outcome, said }, "upload refused by the virus scan");
  if (virus) refuse("FILE_INFECTED", { virus });
  refuse("SCAN_UNAVAILABLE", { seconds: RETRY_AFTER_SECONDS });
}

/** The message of the error where clamd does not answer. */
async function answerOf(content: AsyncIterable<Buffer>, clamd: ClamdAddress): Promise<string> {
  const socket = connect({ ...clamd });
  socket.setTimeout(SILENT_MS, () => socket.destroy(new Error("clamd is silent")));
  const answer = text(socket).catch((error: Error) => error.message);
  try {
    let isTaken = await send(socket, "zINSTREAM\0");
    for await (const chunk of content) isTaken &&= await send(socket, chunkOf(chunk));
    // A chunk without content ends the stream.
    if (isTaken) await send(socket, chunkOf(Buffer.alloc(0)));
    return (await answer).replace(/\0$/, "");
  } finally {
    socket.destroy();
  }
}

function chunkOf(content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length);
  return Buffer.concat([size, content]);
}

/** False when clamd takes no more: its answer says why. */
const send = (socket: Socket, bytes: Buffer | string): Promise<boolean> =>
  new Promise((resolve) => socket.write(bytes, (error) => resolve(!error)));
