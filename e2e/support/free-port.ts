// Free ports for programs that need a fixed port number.
import { once } from "node:events";
import net from "node:net";

/**
 * Below the ephemeral ports (Linux from 32768, others from 49152): no outgoing connection can take
 * a port between the check and the start, or while a server restarts.
 */
const LOWEST_PORT = 20_000;
const PORT_RANGES = 600;
const PORTS_PER_PROCESS = 20;
/** Derived from the pid, so that parallel processes use different ports. */
const firstPort = LOWEST_PORT + (process.pid % PORT_RANGES) * PORTS_PER_PROCESS;
let nextIndex = 0;

/** Returns a port of 127.0.0.1 without a listener. */
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
