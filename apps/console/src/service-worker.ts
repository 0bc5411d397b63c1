// Service worker: keeps the console's files, so that an installed console opens without a network.

interface ExtendableEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}
interface FetchEvent extends ExtendableEvent {
  request: Request;
  respondWith: (response: Promise<Response>) => void;
}
interface Worker {
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
}

const worker = self as unknown as Worker;
const CACHE = "console";
const DOCUMENT = "/";
/** Stands in the console's document alone (index.html). */
const MARK = 'data-app="console"';
const ASSETS = "/assets/";
/** Longer than a slow network takes; a cellar's dead spot hangs for a minute. */
const PATIENCE_MS = 4_000;

self.addEventListener("install", () => void worker.skipWaiting());
self.addEventListener("activate", (event) =>
  (event as ExtendableEvent).waitUntil(worker.clients.claim()),
);

/** Files that the page had loaded before this worker was there. */
self.addEventListener("message", (event: MessageEvent<string[]>) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    const isMissing = await Promise.all(event.data.map(async (url) => !(await cache.match(url))));
    const missing = event.data.filter((_, index) => isMissing[index]);
    await Promise.allSettled(missing.map((url) => cache.add(url)));
  };
  (event as unknown as ExtendableEvent).waitUntil(keep());
});

self.addEventListener("fetch", (event) => {
  const { request, respondWith } = event as FetchEvent;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const answer = (response: Promise<Response>) => respondWith.call(event, response);
  if (pathname.startsWith(ASSETS)) answer(assetOf(request));
  else if (request.mode === "navigate" && isPage(pathname)) answer(documentOf(request));
});

/** Other applications of the origin, and files, are none of the console's pages. */
function isPage(pathname: string): boolean {
  return (
    !/^\/(api|device|open|m|demo|metrics|readyz|healthz)(\/|$)/.test(pathname) &&
    !/\.[^/]*$/.test(pathname)
  );
}

/** Assets are immutable: their names have a hash of their content. */
async function assetOf(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request.url, response.clone());
  return response;
}

/** One document serves every page: the newest if the network answers in time. */
async function documentOf(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(DOCUMENT);
  const patience = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null));
  const fetched = fetch(request);
  const response = await (kept ? Promise.race([fetched, patience]) : fetched).catch(() => null);
  if (!response) return kept ?? Response.error();
  if (response.ok) await keepDocument(cache, kept, response.clone());
  return response;
}

/** A new version has assets of its own; those of the old one are removed. */
async function keepDocument(
  cache: Cache,
  kept: Response | undefined,
  response: Response,
): Promise<void> {
  const text = await response.clone().text();
  // Another application's page must neither be shown as the console nor cost its files.
  if (!text.includes(MARK)) return;
  if (kept && (await kept.clone().text()) !== text) {
    const old = await cache.keys();
    await Promise.all(old.map((each) => cache.delete(each)));
  }
  await cache.put(DOCUMENT, response);
}
