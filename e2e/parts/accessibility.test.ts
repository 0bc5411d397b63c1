// Runs axe on every state of the catalogue, on a desktop and on a phone, in light and in dark.
import { expect, test } from "vitest";
import { findThemeViolations } from "../support/axe.ts";
import { DESKTOP, PHONE, showState, useCatalogue } from "../support/catalogue.ts";

const catalogue = useCatalogue();

const LOOKS = [
  [DESKTOP, "light", "dark"],
  [PHONE, "dark", "light"],
] as const;

// A hundred states, twice each; at a quarter of the speed they take ten minutes.
test("every state on a desktop and on a phone: axe finds nothing, nothing overflows, React warns of nothing", {
  timeout: 1_800_000,
}, async () => {
  const states = (await catalogue.states()).values();
  /** Shows the states that no other page has taken; a phone is the same page made narrow. */
  const walk = async () => {
    const { context, page, complaints } = await catalogue.open("list-page/rows");
    for (const state of states) {
      await page.setViewportSize(DESKTOP);
      await showState(page, state);
      // Each width begins in the theme of the one before: to change it takes as long as a look.
      for (const [viewport, first, second] of LOOKS) {
        await page.setViewportSize(viewport);
        const where = `${state} at ${viewport.width} px`;
        expect.soft(await findThemeViolations(page, first), where).toEqual([]);
        expect.soft(await findThemeViolations(page, second, "colours"), where).toEqual([]);
        const width = await page.evaluate("document.documentElement.scrollWidth");
        expect.soft(width, `${where}: width`).toBeLessThanOrEqual(viewport.width);
      }
      expect.soft(complaints.splice(0), state).toEqual([]);
    }
    await context.close();
  };
  await Promise.all([walk(), walk()]);
});
