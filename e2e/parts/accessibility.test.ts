// Runs axe on every state of the catalogue: on a desktop in light and in dark, on a phone in dark.
import { expect, test } from "vitest";
import { findThemeViolations } from "../support/axe.ts";
import { DESKTOP, PHONE, showState, useCatalogue } from "../support/catalogue.ts";

const catalogue = useCatalogue();

/** Each begins as the one before ends: to change the theme takes as long as a look. Dark changes colours only. */
const LOOKS = [
  [DESKTOP, "light", "all"],
  [DESKTOP, "dark", "colours"],
  [PHONE, "dark", "all"],
] as const;

// A hundred states, three looks each; at a quarter of the speed they take ten minutes.
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
      for (const [viewport, theme, rules] of LOOKS) {
        await page.setViewportSize(viewport);
        const where = `${state} at ${viewport.width} px`;
        expect.soft(await findThemeViolations(page, theme, rules), where).toEqual([]);
        const width = await page.evaluate("document.documentElement.scrollWidth");
        expect.soft(width, `${where}: width`).toBeLessThanOrEqual(viewport.width);
      }
      expect.soft(complaints.splice(0), state).toEqual([]);
    }
    await context.close();
  };
  await Promise.all([walk(), walk()]);
});
