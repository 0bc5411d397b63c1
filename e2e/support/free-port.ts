// Ports for programs that have to be told where to listen.
import { once } from "node:events";
import net from "node:net";

/**
 * Below what systems give to outgoing connections (Linux from 32768, others from 49152): no client
 * takes one of them between the look and the start, nor while a server is down for a moment.
 */
const FIRST = 20_000;
const PROCESSES = 600;
const EACH = 20;
/** Processes at work at the same time have other numbers, and so other ports. */
const own = FIRST + (process.pid % PROCESSES) * EACH;
let given = 0;

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < EACH; tried++) {
    const port = own + (given++ % EACH);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port from ${own} to ${own + EACH - 1}`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = net.createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch {
    return false;
  }
  probe.close();
  await once(probe, "close");
  return true;
}
