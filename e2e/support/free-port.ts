// Ports for programs that have to be told where to listen.
import { once } from "node:events";
import net from "node:net";

/**
 * Below what systems give to outgoing connections (Linux from 32768, others from 49152): no client
 * takes one of them between the look and the start, nor while a server is down for a moment.
 */
const LOWEST_PORT = 20_000;
const PORT_RANGES = 600;
const PORTS_PER_PROCESS = 20;
/** Processes at work at the same time have other numbers, and so other ports. */
const firstPort = LOWEST_PORT + (process.pid % PORT_RANGES) * PORTS_PER_PROCESS;
let nextIndex = 0;

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS_PER_PROCESS; tried++) {
    const port = firstPort + (nextIndex++ % PORTS_PER_PROCESS);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port from ${firstPort} to ${firstPort + PORTS_PER_PROCESS - 1}`);
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
