// Whether the server can be reached: what was last heard from it, and whether anything is still awaited.
import { type Exchange, PRESS_HEADER, ServerClock } from "@cabinet/contract/kit/press.rules.ts";
import { create } from "zustand";

interface Network {
  /** Since when the server has been out of reach; null: it answers, as far as is known. */
  lostAt: number | null;
}

export const networkStore = create((): Network => ({ lostAt: null }));

/** Data on screen, whose age the bar names. */
interface Content {
  /** Time of the oldest, to be read at `now`; null: there are none. */
  sinceText: (now: number) => string | null;
  subscribe: (listener: () => void) => () => void;
  refetch: () => Promise<void>;
}

/** The sign-in page has none, and loads nothing that would. */
export let content: Content = {
  sinceText: () => null,
  subscribe: () => () => {},
  refetch: async () => {},
};

export function followContent(followed: Content): void {
  content = followed;
}

/** By this browser's clock, like all times here; 0: never. */
let heardAt = 0;
/** Null while the browser believes to be online. */
let offlineSince: number | null = navigator.onLine === false ? Date.now() : null;
let hasHeartbeat = false;
const clock = new ServerClock();

/** When anything last came from the server; null: never since the page was loaded. */
export const lastHeardAt = (): number | null => heardAt || null;

/** Answers that were on their way when the network went are read within this. */
const STRAGGLER_MS = 1_000;

/** The server has answered, whatever it said. */
export function hear(): void {
  heardAt = Date.now();
  if (offlineSince !== null && heardAt - offlineSince < STRAGGLER_MS) return;
  // The browser may believe to be offline beside a server that it reaches (0116).
  offlineSince = null;
  if (networkStore.getState().lostAt !== null) networkStore.setState({ lostAt: null });
}

/** Same, with an answer, which also tells the server's time. */
export function hearAnswer({ headers }: Response, times: Exchange): void {
  clock.learn(times, (name) => headers.get(name));
  hear();
}

/** Time of a press that happens now, for `x-pressed-at` (0115). */
export const pressNow = (): number => clock.at(Date.now());

export const pressHeader = (pressedAt: number) => ({ [PRESS_HEADER]: String(pressedAt) });

function lose(): void {
  if (networkStore.getState().lostAt === null) networkStore.setState({ lostAt: Date.now() });
}

/** A request of that time got no answer. The live channel knows better: a blocker, too, keeps single requests back. */
export function missAnswer(sentAt: number): void {
  if (!hasHeartbeat && heardAt < sentAt) lose();
}

/** The live channel is open and pings; false: it was closed, or is silent. */
export function setHeartbeat(has: boolean): void {
  hasHeartbeat = has;
  if (has) hear();
}

/** True if the browser has had no network since then: nothing that was sent meanwhile has left. */
export const isOfflineSince = (sentAt: number): boolean =>
  offlineSince !== null && offlineSince <= sentAt;

/** True while nothing is heard from the server, as far as is known. */
export const isServerLost = (): boolean =>
  navigator.onLine === false || networkStore.getState().lostAt !== null;

/** Runs when the network is back, or the server is heard again; returns what ends that. */
export function onNetworkBack(run: () => void): () => void {
  const unsubscribe = networkStore.subscribe((now, before) => {
    if (before.lostAt !== null && now.lostAt === null) run();
  });
  window.addEventListener("online", run);
  return () => {
    unsubscribe();
    window.removeEventListener("online", run);
  };
}

window.addEventListener("offline", () => {
  offlineSince = Date.now();
  lose();
});
window.addEventListener("online", () => {
  offlineSince = null;
});
