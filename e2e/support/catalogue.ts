// Vitest fixture: a Chromium on the catalogue of the console's parts.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { sharedBrowser, type Visit, visit } from "./browser.ts";

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

export interface CatalogueVisit extends Visit {
  /** Requests of the state so far: `GET /api/…?page=1`. */
  requests: string[];
}

export interface Catalogue {
  /** Opens a state such as `list-page/rows` like another user. */
  open(state: string, viewport?: typeof DESKTOP, timezoneId?: string): Promise<CatalogueVisit>;
  /** All states of all parts. */
  states(): Promise<string[]>;
}

/** Shows another state in the page, which is not loaded again; waits until the buttons that lead to it are pressed. */
export async function showState(page: Page, state: string): Promise<void> {
  await page.evaluate(`dispatchEvent(new CustomEvent("show", { detail: "${state}" }))`);
  await untilReady(page, state);
}

async function untilReady(page: Page, state: string): Promise<void> {
  const isReady = () => page.evaluate<boolean>("'ready' in document.documentElement.dataset");
  await expect.poll(isReady, { message: `${state} is ready` }).toBe(true);
}

export function useCatalogue(): Catalogue {
  const server = { origin: inject("catalogueOrigin") };
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  afterAll(() => Promise.all(browser.contexts().map((context) => context.close())));
  return {
    async open(state, viewport, timezoneId) {
      const visited = await visit(browser, server, { viewport, timezoneId });
      const requests: string[] = [];
      visited.page.on("console", (message) => {
        if (message.type() === "debug") requests.push(message.text());
      });
      await visited.page.goto(`/${state}`);
      await untilReady(visited.page, state);
      return { ...visited, requests };
    },
    async states() {
      const { context, page } = await visit(browser, server);
      await page.goto("/");
      const links = page.getByRole("navigation", { name: "Parts" }).getByRole("link");
      await links.first().waitFor();
      const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
      await context.close();
      return paths.map((path) => String(path).slice(1));
    },
  };
}
