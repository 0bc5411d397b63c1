// Test double for the map service's host in a browser; can be made unreachable.
import path from "node:path";
import type { BrowserContext } from "playwright-core";

export interface AmapDouble {
  /** Requested URLs, in order. */
  requests: URL[];
  isReachable: boolean;
}

export async function mockAmap(context: BrowserContext): Promise<AmapDouble> {
  const double: AmapDouble = { requests: [], isReachable: true };
  await context.route("https://webapi.amap.com/**", async (route) => {
    double.requests.push(new URL(route.request().url()));
    if (!double.isReachable) return route.abort();
    return route.fulfill({
      contentType: "text/javascript",
      path: path.join(import.meta.dirname, "amap-double.js"),
    });
  });
  return double;
}
