// Runs axe on every state of the catalogue, on a desktop and on a phone, in light and in dark.
import { expect, test } from "vitest";
import { findViolations } from "../support/axe.ts";
import { DESKTOP, PHONE, showState, useCatalogue } from "../support/catalogue.ts";

const catalogue = useCatalogue();

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
      for (const viewport of [DESKTOP, PHONE]) {
        await page.setViewportSize(viewport);
        const where = `${state} at ${viewport.width} px`;
        expect.soft(await findViolations(page), where).toEqual([]);
        const width = await page.evaluate("document.documentElement.scrollWidth");
        expect.soft(width, `${where}: width`).toBeLessThanOrEqual(viewport.width);
      }
      expect.soft(complaints.splice(0), state).toEqual([]);
    }
    await context.close();
  };
  await Promise.all([walk(), walk()]);
});
