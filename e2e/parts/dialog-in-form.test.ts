// Component tests of dialogs inside a form: an answer to the dialog sends its own call and never the form's.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useCatalogue } from "../support/catalogue.ts";

const catalogue = useCatalogue();

const dialogOf = (page: Page) => page.getByRole("dialog").filter({ visible: true }).first();
const writes = (requests: string[]) => requests.filter((request) => request.startsWith("POST"));

test("dialogs inside a form: an answer to any kind of dialog sends its own call, never the form", async () => {
  const states = (await catalogue.states()).filter((state) => state.startsWith("dialog-in-form/"));
  expect(states.length).toBeGreaterThan(9);
  for (const state of states) {
    const { context, page, requests, complaints } = await catalogue.open(state);
    const own = ["POST /api/catalogue/sample/act"];
    const proof = dialogOf(page).getByLabel("验证码或恢复码");
    if (state.endsWith("/proof")) {
      await proof.fill("123456");
      own.unshift("POST /api/auth/second-factor/prove");
    }
    await dialogOf(page)
      .getByRole("button", { name: /^(执行|验证)$/ })
      .click();
    await expect.poll(() => writes(requests), { message: state }).toEqual(own);
    // A form that was sent as well has left its page by the time that its button can be pressed again.
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "保存", exact: true }).isEnabled();
    expect(writes(requests), state).toEqual(own);
    expect(complaints, state).toEqual([]);
    await context.close();
  }
});

test("text in a dialog: typed in the middle it stays there, and a hidden tab keeps it", async () => {
  const { context, page } = await catalogue.open("dialog-in-form/kept");
  const text = dialogOf(page).getByLabel("说明");
  await text.fill("柜门");
  await text.press("ArrowLeft");
  await text.pressSequentially("的12");
  expect(await text.inputValue()).toBe("柜的12门");
  const turn = () => page.evaluate("dispatchEvent(new Event('release'))");
  await turn();
  await dialogOf(page).waitFor({ state: "hidden" });
  await turn();
  expect(await dialogOf(page).getByLabel("说明").inputValue()).toBe("柜的12门");
  await context.close();
});
