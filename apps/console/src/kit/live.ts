// Live push channel: one connection per page, shared by all subscribers and open while there are
// any.
import type { Refused } from "@cabinet/contract/kit/endpoint.ts";
import type { ErrorCode } from "@cabinet/contract/kit/errors.ts";
import {
  LIVE_MISSED_HEADER,
  LIVE_PATH,
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
import { reconnectDelayMs } from "./live.rules.ts";
import { currentSession, sessionStore } from "./session.ts";

/** Called when `cabinetId` changed; null: events may have been lost, so anything may have changed. */
export type LiveHandler = (cabinetId: number | null) => void;

const SILENCE_MS = LIVE_PING_MS * 2.5;
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

/** True while the channel is connected; false while connecting and without subscribers. */
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
sessionStore.subscribe(({ session }, before) => {
  if (session?.token === before.session?.token) return;
  sessionSince = performance.now();
  if (!stop) return;
  stop();
  stop = connect();
});

function publish(topic: LiveTopic, cabinetId: number | null): void {
  for (const handler of handlers.get(topic) ?? []) handler(cabinetId);
}

/** Keeps a connection open until it is stopped. */
function connect(): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  run(signal).finally(() => liveStore.setState({ isConnected: false }));
  return () => controller.abort();
}

async function run(signal: AbortSignal): Promise<void> {
  let failures = 0;
  let wasConnected = false;
  while (!signal.aborted && currentSession()) {
    const missedMs = wasConnected ? null : performance.now() - sessionSince;
    const isOver = await listen(missedMs, signal, () => {
      failures = 0;
      liveStore.setState({ isConnected: true, refusal: null });
      if (wasConnected) for (const topic of LIVE_TOPICS) publish(topic, null);
      wasConnected = true;
    });
    if (signal.aborted || isOver) return;
    liveStore.setState({ isConnected: false });
    await wait(reconnectDelayMs(failures++, Math.random()), signal);
  }
}

/** Reads one connection to its end; true if the session is over. */
async function listen(
  missedMs: number | null,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<boolean> {
  const connection = new AbortController();
  const token = currentSession()?.token ?? null;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const expectMore = () => {
    clearTimeout(silence);
    silence = setTimeout(() => connection.abort(), SILENCE_MS);
  };
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
    if (!response.ok || !response.body) {
      failureOf({ kind: "http", status: response.status, code: null }, token);
      liveStore.setState({ refusal: response.status === 429 ? await refusalOf(response) : null });
      return response.status === 401 || response.status === 499;
    }
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
      parser.feed(part.value);
    }
  } catch {
    // Connection lost: the caller reconnects.
    liveStore.setState({ refusal: null });
  } finally {
    clearTimeout(silence);
    connection.abort();
  }
  return false;
}

/** Null for another reason to wait, such as a proxy's. */
async function refusalOf(response: Response): Promise<string | null> {
  const { errCode, errMsg } = (await response.json()) as Partial<Refused>;
  return errCode === ("TENANT_CHANNELS_USED_UP" satisfies ErrorCode) ? (errMsg ?? null) : null;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
