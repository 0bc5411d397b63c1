// Runs axe on a page in light and in dark.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Finishes animations until six frames pass without one: axe must not see colours in transition. */
const SETTLE_ANIMATIONS = `(async () => {
  const isMoving = (each) =>
    each.playState === "running" && each.effect.getComputedTiming().endTime !== Infinity;
  for (let still = 0; still < 6; still++) {
    await new Promise(requestAnimationFrame);
    for (const each of document.getAnimations().filter(isMoving)) {
      each.finish();
      still = 0;
    }
  }
})()`;

/** Rules for dark mode: only colours differ from light mode. */
const COLOURS: RunOptions = {
  runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
};

/** Serious and critical axe violations of the settled page, in light and in dark. */
export async function findViolations(page: Page): Promise<string[]> {
  const found = await findThemeViolations(page, "light", {});
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("html[data-theme=dark], html:not([data-theme])").waitFor();
  found.push(...(await findThemeViolations(page, "dark", COLOURS)));
  await page.emulateMedia({ colorScheme: "light" });
  await page.locator("html[data-theme=light], html:not([data-theme])").waitFor();
  return found;
}

async function findThemeViolations(
  page: Page,
  theme: string,
  options: RunOptions,
): Promise<string[]> {
  await page.evaluate(SETTLE_ANIMATIONS);
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  // Without `preload`: no enabled rule reads style sheets, which axe would fetch again on each page.
  const run = `axe.run(${JSON.stringify({ ...options, preload: false, resultTypes: ["violations"] })})`;
  const { violations } = (await page.evaluate(run)) as AxeResults;
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${theme}: ${id}: ${nodes
          .slice(0, 3)
          .map((node) => `${node.target} ${node.failureSummary}`)
          .join("; ")}`,
    );
}
