// TCP proxy that can be cut without FIN or RST, as by a vanished server or a firewall that forgets.
import { once } from "node:events";
import net from "node:net";
import { Transform } from "node:stream";

export interface Line {
  port: number;
  /** Resolves when the first client has disconnected. */
  left: Promise<void>;
  /**
   * Carries no byte any more, also for new connections, until `resume`. Then all goes on that a sender has not given up by a
   * reset: as TCP does over a network that drops every packet for a while.
   */
  stall(): void;
  resume(): void;
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
  const waiting = new Map<() => void, Transform>();
  let isStalled = false;
  /** Part of one direction that waits while the line is stalled. */
  const gate = () =>
    new Transform({
      transform(chunk, _encoding, done) {
        const pass = () => done(null, chunk);
        if (isStalled) waiting.set(pass, this);
        else pass();
      },
    });
  const left = Promise.withResolvers<void>();
  let lead = connect;
  const server = net.createServer((here) => {
    const there = lead();
    const pair = [here, there];
    pairs.add(pair);
    const [up, down] = [gate(), gate()];
    here.pipe(up).pipe(there);
    there.pipe(down).pipe(here);
    here.once("close", left.resolve);
    for (const [from, to, way] of [
      [here, there, up],
      [there, here, down],
    ] as const) {
      from.once("close", (isReset) => {
        if (!isReset || !isStalled) return;
        way.destroy();
        to.destroy();
      });
    }
    there.on("data", (data) => {
      if (isDeafAfter && data.includes(isDeafAfter)) here.unpipe(up).resume();
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
    stall() {
      isStalled = true;
    },
    resume() {
      isStalled = false;
      for (const [pass, way] of waiting) if (!way.destroyed) pass();
      waiting.clear();
    },
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
