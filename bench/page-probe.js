// Runs in every measured page before its own scripts: tells by the wall clock what was seen when.
globalThis.bench = {
  clickedAt: 0,
  /** Bytes of each address on the wire, as the browser's resource timing has them. */
  sizes() {
    const entries = performance.getEntriesByType("resource");
    return Object.fromEntries(entries.map(({ name, transferSize }) => [name, transferSize]));
  },
  /** When an element that matches was painted and the page answered again. */
  painted(selector) {
    return new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
      const look = () => {
        const isThere = [...document.querySelectorAll(selector)].some((it) => it.checkVisibility());
        // The frame that begins now shows it; the message is delivered after that.
        if (isThere) port2.postMessage(null);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  },
};
addEventListener(
  "click",
  (event) => {
    globalThis.bench.clickedAt = performance.timeOrigin + event.timeStamp;
  },
  true,
);
