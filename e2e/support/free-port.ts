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
let range: Promise<number> | undefined;
let nextIndex = 0;

/** Returns a port of 127.0.0.1 without a listener. */
export async function freePort(): Promise<number> {
  range ??= claimRange();
  const claim = await range;
  for (let tried = 1; tried < PORTS_PER_PROCESS; tried++) {
    const port = claim + 1 + (nextIndex++ % (PORTS_PER_PROCESS - 1));
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port from ${claim + 1} to ${claim + PORTS_PER_PROCESS - 1}`);
}

/**
 * Claims a range by listening on its first port for as long as this process lives, so that parallel
 * processes, of another run too, use different ports.
 */
async function claimRange(): Promise<number> {
  for (let tried = 0; tried < PORT_RANGES; tried++) {
    const claim = LOWEST_PORT + ((process.pid + tried) % PORT_RANGES) * PORTS_PER_PROCESS;
    const listener = await listenOn(claim);
    if (!listener) continue;
    listener.unref();
    return claim;
  }
  throw new Error("each range of ports is claimed");
}

async function isFree(port: number): Promise<boolean> {
  const listener = await listenOn(port);
  if (!listener) return false;
  listener.close();
  await once(listener, "close");
  return true;
}

/** Returns null when something listens there. */
async function listenOn(port: number): Promise<net.Server | null> {
  const listener = net.createServer().listen(port, "127.0.0.1");
  try {
    await once(listener, "listening");
    return listener;
  } catch {
    return null;
  }
}
