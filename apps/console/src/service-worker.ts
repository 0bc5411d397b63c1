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
/** Assets of the version before. */
const FORMER = "console-former";
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

/** Files that the page had loaded before this worker was there, or the order to fetch the newest document. */
self.addEventListener("message", (event: MessageEvent<string[] | "update">) => {
  const { data, ports } = event;
  const work =
    data === "update"
      ? keepNewest(fetch(DOCUMENT, { cache: "no-store" })).then(() => ports[0]?.postMessage(null))
      : keepFiles(data);
  (event as unknown as ExtendableEvent).waitUntil(work);
});

async function keepFiles(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE);
  const isMissing = await Promise.all(urls.map(async (url) => !(await cache.match(url))));
  const missing = urls.filter((_, index) => isMissing[index]);
  await Promise.allSettled(missing.map((url) => cache.add(url)));
}

self.addEventListener("fetch", (event) => {
  const { request, respondWith } = event as FetchEvent;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const answer = (response: Promise<Response>) => respondWith.call(event, response);
  if (pathname.startsWith(ASSETS)) answer(assetOf(request));
  else if (request.mode === "navigate" && isPage(pathname)) {
    const fetched = fetch(request);
    const kept = keepNewest(fetched);
    // A late document is for the next visit.
    (event as ExtendableEvent).waitUntil(kept);
    answer(documentOf(fetched, kept));
  }
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
  const kept = await caches.match(request.url);
  if (kept) return kept;
  const cache = await caches.open(CACHE);
  const response = await fetch(request);
  if (response.ok) await cache.put(request.url, response.clone());
  return response;
}

/** One document serves every page: the newest if the network answers in time. */
async function documentOf(fetched: Promise<Response>, keeping: Promise<void>): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(DOCUMENT);
  const patience = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null));
  const response = await (kept ? Promise.race([fetched, patience]) : fetched).catch(() => null);
  if (!response) return kept ?? Response.error();
  // The files of another version are requested next.
  await keeping;
  return response;
}

/** Keeps the document when it arrives. */
async function keepNewest(fetched: Promise<Response>): Promise<void> {
  const response = (await fetched.catch(() => null))?.clone();
  const text = response?.ok ? await response.clone().text() : "";
  // Another application's page must neither be shown as the console nor cost its files.
  if (!response || !text.includes(MARK)) return;
  const cache = await caches.open(CACHE);
  const kept = await cache.match(DOCUMENT);
  if (kept && (await kept.text()) !== text) await retireAssets(cache);
  await cache.put(DOCUMENT, response);
}

/** A new version has assets of its own. Those of the one before stay for tabs that are still open, older ones go. */
async function retireAssets(cache: Cache): Promise<void> {
  await caches.delete(FORMER);
  const former = await caches.open(FORMER);
  for (const request of await cache.keys()) {
    const asset = await cache.match(request);
    if (asset && new URL(request.url).pathname !== DOCUMENT) await former.put(request, asset);
    await cache.delete(request);
  }
}
