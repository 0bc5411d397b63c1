// Init script of every measured page: wall-clock times of clicks and of painted elements.
globalThis.bench = {
  clickedAt: 0,
  unrest: { shift: 0, longestTaskMs: 0 },
  /** Bytes on the wire per URL, from resource timing. */
  sizes() {
    const entries = performance.getEntriesByType("resource");
    return Object.fromEntries(entries.map(({ name, transferSize }) => [name, transferSize]));
  },
  /** Resolves with the wall-clock time when a match was painted and the main thread was free. */
  painted(selector, timeoutMs) {
    return new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(`${location.href}: no ${selector}`)), timeoutMs);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
      const look = () => {
        const isThere = [...document.querySelectorAll(selector)].some((it) => it.checkVisibility());
        // This frame paints it; the message event runs after the paint.
        if (isThere) port2.postMessage(null);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  },
};
new PerformanceObserver((list) => {
  const { unrest } = globalThis.bench;
  for (const entry of list.getEntries()) {
    if (entry.entryType === "longtask") {
      unrest.longestTaskMs = Math.max(unrest.longestTaskMs, entry.duration);
    } else if (!entry.hadRecentInput) {
      unrest.shift += entry.value;
    }
  }
}).observe({ entryTypes: ["layout-shift", "longtask"] });
addEventListener(
  "click",
  (event) => {
    globalThis.bench.clickedAt = performance.timeOrigin + event.timeStamp;
  },
  true,
);
