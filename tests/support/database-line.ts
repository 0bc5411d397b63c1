// TCP proxy to the test database that can be cut without FIN or RST, as by a vanished server or a
// firewall timeout.
import { once } from "node:events";
import net from "node:net";
import pg from "pg";

/** PostgreSQL message ReadyForQuery, state idle. */
const READY = "Z\0\0\0\u0005I";

export interface DatabaseLine {
  /** URL of the database through this proxy. */
  url: string;
  /** Resolves when the first client has disconnected. */
  left: Promise<void>;
  /** Silences all established connections in both directions; new ones pass. */
  cut(): void;
  /** Resets all connections and refuses new ones, until `restore`. */
  breakDown(): void;
  restore(): Promise<void>;
  stop(): void;
}

/** `isDeaf`: connections are silenced from the moment the database is ready for their first query. */
export async function startDatabaseLine(
  to: string,
  { isDeaf = false } = {},
): Promise<DatabaseLine> {
  const { host, port, user = "", password, database: name = "" } = new pg.Client(to);
  const isPath = host.startsWith("/");
  const pairs = new Set<net.Socket[]>();
  const left = Promise.withResolvers<void>();
  const server = net.createServer((here) => {
    const there = isPath ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host);
    const pair = [here, there];
    pairs.add(pair);
    here.pipe(there).pipe(here);
    here.once("close", left.resolve);
    there.on("data", (data) => {
      if (isDeaf && data.includes(READY)) here.unpipe(there).resume();
    });
    for (const socket of pair) socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = server.address() as net.AddressInfo;
  const breakDown = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    server.close();
  };
  return {
    left: left.promise,
    url: `postgres://${user}:${encodeURIComponent(String(password ?? ""))}@127.0.0.1:${at.port}/${name}`,
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
      server.listen(at.port, "127.0.0.1");
      await once(server, "listening");
    },
    stop: breakDown,
  };
}
