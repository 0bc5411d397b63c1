// Runs axe on a page in light and in dark.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Result, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Theme = "light" | "dark";

/** Rules for the second theme: only colours differ. */
const COLOURS: RunOptions = {
  runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
};

/** Serious and critical axe violations of the settled page, in light and in dark. */
export async function findViolations(page: Page): Promise<string[]> {
  const found = [
    ...(await findThemeViolations(page, "light")),
    ...(await findThemeViolations(page, "dark", "colours")),
  ];
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}

/** Leaves the page in the theme. */
export async function findThemeViolations(
  page: Page,
  theme: Theme,
  rules: "all" | "colours" = "all",
): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme });
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  // Without `preload`: no enabled rule reads style sheets, which axe would fetch again on each page.
  const options: RunOptions = { preload: false, resultTypes: ["violations"] };
  if (rules === "colours") Object.assign(options, COLOURS);
  const violations = await page.evaluate<Result[]>(lookAt(theme, options));
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

/**
 * Script that waits for the theme, finishes animations until six frames pass without one, as axe must not see colours in
 * transition, and runs axe. One script: each question to the browser costs as much as the rules.
 */
const lookAt = (theme: Theme, options: RunOptions) => `(async () => {
  const isThere = () => document.documentElement.matches("[data-theme=${theme}], :not([data-theme])");
  const isMoving = (each) =>
    each.playState === "running" && each.effect.getComputedTiming().endTime !== Infinity;
  const until = performance.now() + 60_000;
  for (let still = 0; still < 6; still++) {
    await new Promise(requestAnimationFrame);
    if (performance.now() > until) throw new Error("The page does not become ${theme} or still");
    if (!isThere()) still = 0;
    for (const each of document.getAnimations().filter(isMoving)) {
      each.finish();
      still = 0;
    }
  }
  return (await axe.run(${JSON.stringify(options)})).violations;
})()`;
