// TCP proxy that can be cut without FIN or RST, as by a vanished server or a firewall that forgets.
import { once } from "node:events";
import net from "node:net";

export interface Line {
  port: number;
  /** Resolves when the first client has disconnected. */
  left: Promise<void>;
  /** Silences all established connections in both directions; new ones pass. */
  cut(): void;
  /** Resets all connections and refuses new ones, until `restore`. */
  breakDown(): void;
  restore(): Promise<void>;
  /** New connections lead elsewhere. */
  leadTo(connect: () => net.Socket): void;
  stop(): void;
}

/** `isDeafAfter`: once the server has sent these bytes, the connection is silenced towards it. */
export async function startLine(
  connect: () => net.Socket,
  { isDeafAfter }: { isDeafAfter?: string | undefined } = {},
): Promise<Line> {
  const pairs = new Set<net.Socket[]>();
  const left = Promise.withResolvers<void>();
  let lead = connect;
  const server = net.createServer((here) => {
    const there = lead();
    const pair = [here, there];
    pairs.add(pair);
    here.pipe(there).pipe(here);
    here.once("close", left.resolve);
    there.on("data", (data) => {
      if (isDeafAfter && data.includes(isDeafAfter)) here.unpipe(there).resume();
    });
    for (const socket of pair) socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const breakDown = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
    server.close();
  };
  return {
    port,
    left: left.promise,
    cut() {
      for (const [here, there] of pairs) {
        here?.unpipe();
        there?.unpipe();
        here?.pause();
        there?.pause();
      }
    },
    breakDown,
    async restore() {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    leadTo(next) {
      lead = next;
    },
    stop: breakDown,
  };
}
