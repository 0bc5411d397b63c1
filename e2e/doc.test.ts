// The public documents: search, copying, phone layout; the API reference behind sign-in.
import { expect, test } from "vitest";
import { findViolations } from "./support/axe.ts";
import { signIn } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const testServer = useSharedDemo();
const admin = () => testServer.server.account(1, 0);

test("§2 Public docs: from the sign-in page, by outline, search and anchor, in light and dark", async () => {
  const { context, page, complaints } = await testServer.visit();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/login");
  await page.getByRole("link", { name: "运维文档" }).click();
  await page.getByRole("heading", { level: 1, name: "运维文档" }).waitFor();
  await expect.poll(() => page.title()).toContain("运维文档");

  expect(await findViolations(page)).toEqual([]);
  const outline = page.getByRole("navigation", { name: "目录" });
  await outline.getByRole("link", { name: "备份与恢复", exact: true }).click();
  await expect.poll(() => decodeURIComponent(new URL(page.url()).hash)).toBe("#backup");
  await expect.poll(() => outline.locator("[aria-current]").textContent()).toBe("备份与恢复");
  await outline.getByRole("link", { name: "演练", exact: true }).waitFor();

  const search = page.getByRole("combobox", { name: "在本文档中查找" });
  await search.fill("没有这样的词");
  await page.getByText("没有找到，请换一个词").waitFor();
  await search.fill("job_waiting");
  await page.getByText(/^\d+ 处$/).waitFor();
  expect(await page.evaluate("CSS.highlights.get('doc-search').size > 0")).toBe(true);
  await search.press("Enter");
  await expect.poll(() => decodeURIComponent(new URL(page.url()).hash)).toBe("#alarms-指标");
  await expect
    .poll(() => page.getByRole("cell", { name: "到期而没有开始的后台任务" }).isVisible())
    .toBe(true);

  const sample = page.locator("figure.doc-code").filter({ hasText: "./storage backup" }).first();
  await sample.getByRole("button", { name: "复制" }).click();
  await sample.getByRole("button", { name: "已复制" }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toContain("./storage backup --to");

  await page.getByRole("button", { name: "深色" }).click();
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");

  await page.getByRole("link", { name: "接入文档" }).click();
  await page.getByRole("heading", { level: 1, name: "接入文档" }).waitFor();
  const vectors = await page.getByRole("link", { name: /cab1\.json/ }).getAttribute("href");
  const answer = await page.request.get(vectors ?? "");
  expect(answer.status()).toBe(200);
  expect((await answer.json()).requests.length).toBeGreaterThan(29);
  const client = page.getByRole("link", { name: "open-api-client.mjs" }).first();
  const file = await page.request.get((await client.getAttribute("href")) ?? "");
  expect(file.headers()["content-type"]).toContain("javascript");
  expect(await file.text()).toMatch(/export \{[^}]*\bOpenApiClient\b/);

  await page.goto("/doc/sdk#callbacks-验证");
  await expect
    .poll(() =>
      page.evaluate(
        "Math.abs(document.getElementById('callbacks-验证')?.getBoundingClientRect().top ?? 9999) < 200",
      ),
    )
    .toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

test("docs on a phone: no horizontal overflow; the outline folds after a choice", async () => {
  const { context, page, complaints } = await testServer.visit({ width: 390, height: 844 });
  const paths = [
    "/doc/sre",
    "/doc/sdk",
    "/doc/sdk?lang=en",
    "/doc/sdk?view=api#open-api.createOrder",
  ];
  for (const path of paths) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    if (path.includes("view")) {
      // A field's note is on the screen, not beyond its edge.
      const note = page
        .locator("details.api-call[open]")
        .getByText("到时仍未存入则自动取消")
        .first();
      const box = await note.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path).toBe(
      true,
    );
  }
  await page.goto("/doc/sdk?lang=zh");
  await page.getByText("目录", { exact: true }).click();
  const outline = page.getByRole("navigation", { name: "目录" });
  await outline.getByRole("link", { name: "回调", exact: true }).click();
  await expect.poll(() => decodeURIComponent(new URL(page.url()).hash)).toBe("#callbacks");
  expect(await outline.getByRole("link", { name: "回调", exact: true }).isVisible()).toBe(false);
  expect(complaints).toEqual([]);
  await context.close();
});

test("integrators' documents in English: by switch, by address, remembered; search and reference follow", async () => {
  const { context, page, complaints } = await testServer.visit();
  await page.goto("/doc/sdk#callbacks-验证");
  const chinese = page.getByRole("navigation", { name: "目录" });
  await expect.poll(() => chinese.locator("[aria-current]").textContent()).toBe("验证");
  await page.getByRole("link", { name: "English", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Integration guide" }).waitFor();
  expect(new URL(page.url()).search).toBe("?lang=en");
  await expect.poll(() => page.title()).toContain("Integration guide");
  // The reader stays at the same section.
  const outline = page.getByRole("navigation", { name: "Contents" });
  await expect.poll(() => outline.locator("[aria-current]").textContent()).toBe("Verification");

  const search = page.getByRole("combobox", { name: "Search this document" });
  await search.fill("backoff");
  await page.getByText(/^\d+ match/).waitFor();
  await search.press("Enter");
  await expect.poll(() => new URL(page.url()).hash).toContain("link-connecting");

  await page.goto("/doc/sdk?view=api#open-api.createOrder");
  await page.getByRole("heading", { level: 1, name: "API reference" }).waitFor();
  await expect.poll(() => page.url()).toContain("view=api&lang=en#open-api.createOrder");
  const call = page.locator("details.api-call[open]");
  await call.getByText("Signature, permission order:write").waitFor();
  await call
    .getByRole("row", { name: /thirdPartyNo string yes Your order number/ })
    .first()
    .waitFor();
  const cells = await page.locator("main :is(th, td, h1, h2, h3, p)").allTextContents();
  expect(cells.filter((text) => /\p{Script=Han}/u.test(text))).toEqual([]);

  await page.getByRole("link", { name: "中文", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "接口参考" }).waitFor();
  expect(decodeURIComponent(page.url())).toContain("view=api&lang=zh#open-api.createOrder");
  await page.goto("/doc/sdk");
  await page.getByRole("heading", { level: 1, name: "接入文档" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("public API reference: without an account all calls but the console's, with samples to copy", async () => {
  const { context, page, complaints } = await testServer.visit();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/doc/sdk");
  await page
    .getByRole("navigation", { name: "文档" })
    .getByRole("link", { name: "接口参考" })
    .click();
  await page.getByRole("heading", { level: 1, name: "接口参考" }).waitFor();
  await expect.poll(() => page.title()).toContain("接口参考");
  const outline = page.getByRole("navigation", { name: "目录" });
  await outline.getByText("设备接口", { exact: true }).waitFor();
  expect(await outline.getByText("控制台接口", { exact: true }).count()).toBe(0);

  await page.getByRole("searchbox", { name: "查找调用" }).fill("取件码 code");
  const call = page.locator("details.api-call[open]");
  await call.getByRole("button", { name: "Go", exact: true }).click();
  await call.getByText("package main").waitFor();
  await call.getByRole("button", { name: "cURL", exact: true }).click();
  await call.getByRole("button", { name: "复制" }).click();
  await call.getByRole("button", { name: "已复制" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(
    /^#!\/bin\/bash\n[\s\S]*\ntarget='\/open\/v1\/order\/\d+\/code'/,
  );

  await page.goto("/doc/sre");
  await page.goto("/doc/sdk?view=api#error.NO_FREE_COMPARTMENT");
  const row = page.getByRole("row", { name: /422 NO_FREE_COMPARTMENT/ });
  await row.waitFor();
  await expect.poll(() => row.evaluate((it) => it.getBoundingClientRect().top < 800)).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

test("API reference: needs a sign-in; filter by audience, search, deep link", async () => {
  const { context, page, complaints } = await testServer.visit();
  await page.goto("/doc/api");
  await page.waitForURL((url) => url.pathname === "/login");
  await signIn(page, admin(), "/doc/api#open-api.createOrder");
  const call = page.locator("details.api-call[open]");
  await call.getByText("签名，权限 order:write").waitFor();
  await call
    .getByRole("row", { name: /thirdPartyNo 文字 是 第三方单号/ })
    .first()
    .waitFor();
  await call.getByRole("row", { name: /opensDoor 是否 否 立即开门/ }).waitFor();
  expect(await findViolations(page)).toEqual([]);

  const outline = page.getByRole("navigation", { name: "目录" });
  await outline.getByRole("link", { name: /^错误代码/ }).click();
  await page
    .getByRole("row", { name: /401 PARTNER_UNPROVEN/ })
    .first()
    .waitFor();
  await outline.getByRole("link", { name: /^门店/ }).click();
  await page.getByRole("heading", { level: 2, name: "门店" }).waitFor();

  await page.getByRole("searchbox", { name: "查找调用" }).fill("重发取件码");
  await page.getByText(/^\d+ 个调用$/).waitFor();
  await page.getByText("/open/v1/order/{id}/code").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("help: ? at a page's head opens its section of the manual in a new tab; the manual needs a sign-in", async () => {
  const { context, page, complaints } = await testServer.visit();
  await page.goto("/doc/manual");
  await page.waitForURL((url) => url.pathname === "/login");
  await signIn(page, admin(), "/set/loginLog?view=sessions");
  await page.getByRole("heading", { level: 1, name: "在线会话" }).waitFor();
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: /^本页帮助/ }).click();
  const manual = await opened;
  const heading = manual.getByRole("heading", { level: 3, name: "在线会话" });
  await heading.waitFor();
  expect(await findViolations(manual)).toEqual([]);
  const top = async () => (await heading.boundingBox())?.y ?? -1;
  await expect.poll(top).toBeGreaterThanOrEqual(0);
  await expect.poll(top).toBeLessThan(200);
  const documents = manual.getByRole("navigation", { name: "文档" });
  await documents.getByRole("link", { name: "使用手册" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/set/loginLog");
  expect(complaints).toEqual([]);
  await context.close();
});
