// Test double for the map service's host in a browser; can be made unreachable.
import path from "node:path";
import type { BrowserContext } from "playwright-core";

export interface AmapDouble {
  /** Requested URLs, in order. */
  requests: URL[];
  isReachable: boolean;
  /** File of this folder that is served as the map service's script. */
  script: string;
}

export async function mockAmap(context: BrowserContext): Promise<AmapDouble> {
  const double: AmapDouble = { requests: [], isReachable: true, script: "amap-double.js" };
  await context.route("https://webapi.amap.com/**", async (route) => {
    double.requests.push(new URL(route.request().url()));
    if (!double.isReachable) return route.abort();
    return route.fulfill({
      contentType: "text/javascript",
      path: path.join(import.meta.dirname, double.script),
    });
  });
  return double;
}
