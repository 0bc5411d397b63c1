// Promise I3 in Chromium: hostile HTML from the API or past it never executes.

import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { RICH_TEXT_TAGS } from "@cabinet/contract/messaging/rich-text/rich-text.rules.ts";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { isTooComplex } from "../apps/server/src/features/messaging/rich-text/clean-html.format.ts";
import { htmlPayloads } from "../tests/support/html-payloads.ts";
import { callApiAs } from "./support/api.ts";
import { signIn } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

/** Payloads per notice, so that combinations are covered too. */
const AT_ONCE = 8;
const testServer = useWrittenDemo();
/** The API refuses text with NUL, and what takes long to clean; rows from elsewhere may have more. */
const storable = htmlPayloads.filter(([, html]) => !html.includes("\0") && !isTooComplex(html));

/** Opens a page that records executed payloads, CSP violations and requests to other origins. */
async function watched(userType: 0 | 1) {
  const visited = await testServer.visit();
  const { page } = visited;
  const strangers: string[] = [];
  page.on("request", (request) => {
    if (
      !/^(?:blob|data):/.test(request.url()) &&
      !request.url().startsWith(testServer.server.origin)
    ) {
      strangers.push(request.url());
    }
  });
  await page.addInitScript(`
    window.ran = []; window.stopped = [];
    window.hit = () => window.ran.push(document.title);
    window.alert = window.hit;
    document.addEventListener("securitypolicyviolation", (event) =>
      window.stopped.push(event.violatedDirective + " " + event.blockedURI));`);
  await signIn(page, testServer.server.account(userType === 0 ? 1 : 2, userType));
  /** CSP violations count too, except where a parser reads raw HTML before it is sanitized. */
  const expectNothingRan = async ({ isRaw = false } = {}) => {
    expect(await page.evaluate("window.ran")).toEqual([]);
    expect(strangers).toEqual([]);
    const complaints = visited.complaints.filter(
      (text) => !isRaw || !/violates|Refused/.test(text),
    );
    expect(complaints).toEqual([]);
    if (!isRaw) expect(await page.evaluate("window.stopped")).toEqual([]);
  };
  return { ...visited, expectNothingRan };
}

/** Elements and attributes in the rendered text that are not on the allow-list. */
const foreignIn = (page: Page, box: string): Promise<string[]> =>
  page.evaluate(`(() => {
    const known = { a: ["href", "target", "rel"], img: ["alt", "src", "data-file", "data-state"], ol: ["start"] };
    const tags = ${JSON.stringify(RICH_TEXT_TAGS)};
    return [...document.querySelectorAll(${JSON.stringify(`${box} *`)})].flatMap((part) => {
      const isTag = tags.includes(part.localName) && part instanceof HTMLElement;
      const others = part.getAttributeNames().filter((name) => !(known[part.localName] ?? []).includes(name));
      const href = part.getAttribute("href");
      const isLink = href === null || /^(https?:|mailto:|tel:)/.test(href);
      return isTag && isLink && others.length === 0 ? [] : [part.outerHTML];
    });
  })()`);

/** Publishes a version notice to every operator; `updateNotice` replaces its content. */
async function makeNotice(staff: Page) {
  const draft = {
    ...{ kind: "VERSION", title: "", audience: "OPERATOR", userTypes: [], tenantIds: [] },
    ...{ isPinned: false, expiresAt: null },
  };
  const first = { ...draft, version: "I3.0", content: "<p>开始</p>" };
  const { data } = await callApiAs(staff, announcementContract.create, { body: first });
  const { id } = data;
  await callApiAs(staff, announcementContract.publish, {
    params: { id },
    body: { publishAt: null },
  });
  let edition = 1;
  const updateNotice = async (version: string, content: string) => {
    const body = { ...draft, version, content, editVersion: edition++ };
    const reply = await callApiAs(staff, announcementContract.update, { params: { id }, body });
    expect(reply, reply.errMsg).toMatchObject({ code: 0 });
  };
  return { id, updateNotice };
}

test("I3 hostile HTML: does not run in the version notice or in the help", async () => {
  const staff = await watched(0);
  const operator = await watched(1);
  const { page } = operator;
  const dialog = page.getByRole("dialog", { name: "存取柜通知！" });
  const { id, updateNotice } = await makeNotice(staff.page);
  // The notice would cover the pages of other tests.
  onTestFinished(async () => {
    const body = { reason: "测试完毕" };
    await callApiAs(staff.page, announcementContract.withdraw, { params: { id }, body });
    await Promise.all([staff.context.close(), operator.context.close()]);
  });
  await dialog.getByText("版本：I3.0").waitFor();

  const category = await callApiAs(staff.page, faqContract.createCategory, {
    body: { name: "净化", audience: "OPERATOR" },
  });
  // One after the other: the server refuses a flood of one account.
  for (const [question, html] of storable) {
    const { errMsg } = await callApiAs(staff.page, faqContract.create, {
      body: {
        ...{ categoryId: category.data.id, question, isOn: true },
        answer: `<p>前</p>${html}<p>后</p>`,
      },
    });
    expect(errMsg, question).toBe("");
  }
  for (let from = 0, round = 1; from < storable.length; from += AT_ONCE, round++) {
    const some = storable.slice(from, from + AT_ONCE);
    await updateNotice(`I3.${round}`, some.map(([what, html]) => `<p>${what}</p>${html}`).join(""));
    await dialog.getByText(`版本：I3.${round}`, { exact: true }).waitFor();
    expect(await foreignIn(page, ".dialog .ui-rich-text")).toEqual([]);
  }
  await operator.expectNothingRan();
  await dialog.getByRole("button", { name: "关闭" }).click();
  await page.goto("/settings/help");
  await page.getByText(storable.at(-1)?.[0] ?? "", { exact: true }).waitFor();
  await expect
    .poll(() => page.locator(".ui-rich-text").count())
    .toBeGreaterThanOrEqual(storable.length);
  expect(await foreignIn(page, ".ui-rich-text")).toEqual([]);
  await operator.expectNothingRan();
});

test("I3 hostile HTML: does not run when it bypasses the server's sanitizer or is pasted", async () => {
  const { context, page, expectNothingRan } = await watched(0);
  const answers = htmlPayloads.map(([question, answer], nth) => ({
    ...{ id: nth + 1, category: "净化", question, answer },
  }));
  await page.route(`**${urlPath(faqContract.help)}*`, (route) =>
    route.fulfill({ json: { code: 0, data: answers, errMsg: "" } }),
  );
  await page.goto("/settings/help");
  await page.getByText(answers.at(-1)?.question ?? "", { exact: true }).waitFor();
  await expect.poll(() => page.locator(".ui-rich-text").count()).toBe(answers.length);
  expect(await foreignIn(page, ".ui-rich-text")).toEqual([]);
  await expectNothingRan({ isRaw: true });

  await page.goto("/faq/faqEdit");
  const editor = page.getByRole("textbox", { name: "回答" });
  await editor.click();
  await page.evaluate(`(() => {
    for (const html of ${JSON.stringify(htmlPayloads.map(([, html]) => html)).replaceAll("<", "\\u003c")}) {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/html", html);
      clipboardData.setData("text/plain", "粘贴");
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.querySelector(".ui-editor-text").dispatchEvent(event);
    }
  })()`);
  await expect.poll(() => editor.textContent()).toContain("点我");
  await expectNothingRan({ isRaw: true });
  await context.close();
});
