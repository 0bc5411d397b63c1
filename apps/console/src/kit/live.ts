// Live push channel: one connection per page, shared by all subscribers and open while there are
// any.
import type { Refused } from "@cabinet/contract/kit/endpoint.ts";
import type { ErrorCode } from "@cabinet/contract/kit/errors.ts";
import {
  LIVE_MISSED_HEADER,
  LIVE_PATH,
  LIVE_PING_HEADER,
  LIVE_PING_MS,
  LIVE_TOPICS,
  type LiveEvent,
  type LiveTopic,
} from "@cabinet/contract/live/live.rules.ts";
import { createParser } from "eventsource-parser";
import { useEffect, useEffectEvent } from "react";
import { create } from "zustand";
import { sessionHeaders } from "./api.ts";
import { failureOf } from "./errors.ts";
import { reconnectDelayMs, silenceMs } from "./live.rules.ts";
import { hear, missAnswer, networkStore, setHeartbeat } from "./network.ts";
import { currentToken, isCovered, sessionStore } from "./session.ts";

/** Called when `cabinetId` changed; null: events may have been lost, so anything may have changed. */
export type LiveHandler = (cabinetId: number | null) => void;

const handlers = new Map<LiveTopic, Set<LiveHandler>>(
  LIVE_TOPICS.map((topic) => [topic, new Set()]),
);
interface LiveState {
  isConnected: boolean;
  /** The server's sentence, while the tenant's limit of channels is used up. */
  refusal: string | null;
}
const liveStore = create((): LiveState => ({ isConnected: false, refusal: null }));
let stop: (() => void) | null = null;

/** Calls `handler` on every change of this topic. */
export function useLive(topic: LiveTopic, handler: LiveHandler): void {
  const onEvent = useEffectEvent(handler);
  useEffect(() => subscribe(topic, (cabinetId) => onEvent(cabinetId)), [topic]);
}

/** True while the channel pings, the last time at most 10 s ago; false while connecting and without subscribers. */
export function useIsLive(): boolean {
  return liveStore((state) => state.isConnected);
}

/** Sentence of the server that refuses the channel for the tenant's limit; null otherwise. */
export function useLiveRefusal(): string | null {
  return liveStore((state) => state.refusal);
}

function subscribe(topic: LiveTopic, handler: LiveHandler): () => void {
  handlers.get(topic)?.add(handler);
  stop ??= connect();
  return () => {
    handlers.get(topic)?.delete(handler);
    // Delayed close: the next page may subscribe at once and reuse the connection.
    setTimeout(() => {
      if ([...handlers.values()].some((listeners) => listeners.size > 0)) return;
      stop?.();
      stop = null;
    }, 1_000);
  };
}

/** By `performance.now()`: nothing on screen is older. */
let sessionSince = 0;
// Another session receives other events: reconnect.
sessionStore.subscribe(({ session, endedToken }, before) => {
  if (session?.token === before.session?.token && endedToken === before.endedToken) return;
  sessionSince = performance.now();
  if (!stop) return;
  stop();
  stop = connect();
});

function publish(topic: LiveTopic, cabinetId: number | null): void {
  for (const handler of handlers.get(topic) ?? []) handler(cabinetId);
}

function setConnected(isConnected: boolean): void {
  setHeartbeat(isConnected);
  liveStore.setState({ isConnected, ...(isConnected && { refusal: null }) });
}

/** Keeps a connection open until it is stopped. */
function connect(): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  run(signal).finally(() => setConnected(false));
  return () => controller.abort();
}

async function run(signal: AbortSignal): Promise<void> {
  let failures = 0;
  let wasConnected = false;
  while (!signal.aborted && currentToken() && !isCovered()) {
    const missedMs = wasConnected ? null : performance.now() - sessionSince;
    const isOver = await listen(missedMs, signal, () => {
      failures = 0;
      setConnected(true);
      if (wasConnected) for (const topic of LIVE_TOPICS) publish(topic, null);
      wasConnected = true;
    });
    if (signal.aborted || isOver) return;
    setConnected(false);
    await waitOrRegain(reconnectDelayMs(failures++, Math.random()), signal);
  }
}

/** Reads one connection to its end; true if the session is over. */
async function listen(
  missedMs: number | null,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<boolean> {
  const connection = new AbortController();
  const token = currentToken();
  let silence: ReturnType<typeof setTimeout> | undefined;
  let patienceMs = silenceMs(String(LIVE_PING_MS));
  let lastAt = Date.now();
  const expectMore = () => {
    lastAt = Date.now();
    clearTimeout(silence);
    silence = setTimeout(() => connection.abort(), patienceMs);
  };
  // The browser may keep a stream open that has no network any more.
  const stopListening = networkStore.subscribe(({ lostAt }) => lostAt && connection.abort());
  try {
    expectMore();
    const response = await fetch(LIVE_PATH, {
      headers: {
        ...sessionHeaders(),
        accept: "text/event-stream",
        ...(missedMs !== null && { [LIVE_MISSED_HEADER]: String(Math.ceil(missedMs)) }),
      },
      signal: AbortSignal.any([signal, connection.signal]),
      cache: "no-store",
    });
    hear();
    if (!response.ok || !response.body) {
      failureOf({ kind: "http", status: response.status }, token);
      liveStore.setState({ refusal: response.status === 429 ? await refusalOf(response) : null });
      return response.status === 401 || response.status === 499;
    }
    patienceMs = silenceMs(response.headers.get(LIVE_PING_HEADER));
    onOpen();
    const parser = createParser({
      onEvent: ({ data }) => {
        const event = JSON.parse(data) as LiveEvent;
        publish(event.topic, event.cabinetId);
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      expectMore();
      hear();
      parser.feed(part.value);
    }
  } catch {
    // Connection lost: the caller reconnects.
    liveStore.setState({ refusal: null });
    if (!signal.aborted) {
      setHeartbeat(false);
      missAnswer(lastAt + 1);
    }
  } finally {
    clearTimeout(silence);
    stopListening();
    connection.abort();
  }
  return false;
}

/** Null for another reason to wait, such as a proxy's. */
async function refusalOf(response: Response): Promise<string | null> {
  const { errCode, errMsg } = (await response.json()) as Partial<Refused>;
  return errCode === ("TENANT_CHANNELS_USED_UP" satisfies ErrorCode) ? (errMsg ?? null) : null;
}

/** Ends early when the server is heard again, or the browser has found a network. */
function waitOrRegain(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      unsubscribe();
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    const unsubscribe = networkStore.subscribe(({ lostAt }) => lostAt === null && end());
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
