// A line to a test database, as a server's DATABASE_URL.
import net from "node:net";
import pg from "pg";
import { type Line, startLine } from "./line.ts";

/** PostgreSQL message ReadyForQuery, state idle. */
const READY = "Z\0\0\0\u0005I";

export interface DatabaseLine extends Omit<Line, "leadTo"> {
  /** URL of the database through this line. */
  url: string;
  /** New connections lead to this server, as after a failover. */
  leadTo(url: string): void;
}

function connectTo(url: string): () => net.Socket {
  const { host, port } = new pg.Client(url);
  const isPath = host.startsWith("/");
  return () => (isPath ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host));
}

/** `isDeaf`: connections are silenced from the moment the database is ready for their first query. */
export async function startDatabaseLine(
  to: string,
  { isDeaf = false } = {},
): Promise<DatabaseLine> {
  const { user = "", password, database: name = "" } = new pg.Client(to);
  const line = await startLine(connectTo(to), { isDeafAfter: isDeaf ? READY : undefined });
  return {
    ...line,
    url: `postgres://${user}:${encodeURIComponent(String(password ?? ""))}@127.0.0.1:${line.port}/${name}`,
    leadTo: (url) => line.leadTo(connectTo(url)),
  };
}
