// Live channel of an open console: its events and its end.
import type { AddressInfo } from "node:net";
import { LIVE_PATH, type LiveEvent } from "@cabinet/contract/live/live.rules.ts";
import type { Person, TestServer } from "./test-server.ts";

export interface LiveChannel {
  /** Events received so far. */
  events: LiveEvent[];
  /** Resolves when the server closes the channel. */
  ended: Promise<"ended">;
  close(): void;
}

/** Opens a channel; the first one makes the server listen. */
export async function openLive(testServer: TestServer, person: Person): Promise<LiveChannel> {
  if (!testServer.app.server.listening) await testServer.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = testServer.app.server.address() as AddressInfo;
  const aborted = new AbortController();
  const reply = await fetch(`http://127.0.0.1:${port}${LIVE_PATH}`, {
    headers: { "auth-token": person.token, tenantid: String(person.tenantId) },
    signal: aborted.signal,
  });
  if (!reply.ok || !reply.body) throw new Error(`no live channel: ${reply.status}`);
  const { body } = reply;
  const events: LiveEvent[] = [];
  async function readToEnd(): Promise<"ended"> {
    let unread = "";
    for await (const part of body.pipeThrough(new TextDecoderStream())) {
      const frames = (unread + part).split("\n\n");
      unread = frames.pop() ?? "";
      for (const frame of frames) {
        if (frame.startsWith("data: ")) events.push(JSON.parse(frame.slice(6)));
      }
    }
    return "ended";
  }
  const ended = readToEnd();
  // Aborting from this side rejects `ended`, which nobody awaits then.
  ended.catch(() => {});
  return { events, ended, close: () => aborted.abort() };
}
