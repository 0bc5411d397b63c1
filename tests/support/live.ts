// The live channel as an open console has it, for tests that see it end.
import type { AddressInfo } from "node:net";
import { LIVE_PATH } from "@cabinet/contract/live/live.rules.ts";
import type { House, Person } from "./house.ts";

export interface LiveChannel {
  /** With the word that the server closed it. */
  ended: Promise<"ended">;
  close(): void;
}

/** The house listens from the first one on. */
export async function openLive(house: House, person: Person): Promise<LiveChannel> {
  if (!house.app.server.listening) await house.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = house.app.server.address() as AddressInfo;
  const aborted = new AbortController();
  const reply = await fetch(`http://127.0.0.1:${port}${LIVE_PATH}`, {
    headers: { "auth-token": person.token, tenantid: String(person.tenantId) },
    signal: aborted.signal,
  });
  if (!reply.ok || !reply.body) throw new Error(`no live channel: ${reply.status}`);
  const { body } = reply;
  async function readToEnd(): Promise<"ended"> {
    for await (const _ of body);
    return "ended";
  }
  const ended = readToEnd();
  // Closed from this side it fails, which nobody waits for then.
  ended.catch(() => {});
  return { ended, close: () => aborted.abort() };
}
