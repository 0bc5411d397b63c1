// Actions on 设备列表 and its live updates: parameters, pause and resume, changes by another session.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { chooseItem, signIn, storeSession } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

/** Sorted by name, because no action changes that order. */
/** All on one page: cabinets that connect meanwhile would push the rows of others to the next. */
const ACTIVE = "/cupboard/index?sort=name&order=asc&lifecycle=ACTIVE&pageSize=50";
const ACTIVE_ONLINE = `${ACTIVE}&connectivity=ONLINE`;

const demo = useWrittenDemo();

const rowsOf = (page: Page) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name: "格口管理" }) });
/** Read at once: a cabinet that comes or goes between two reads moves the rows behind it. */
const namesOf = (page: Page) => rowsOf(page).locator("td:nth-child(2)").allTextContents();
const rowNamed = (page: Page, name: string) =>
  rowsOf(page).filter({ has: page.getByRole("button", { name, exact: true }) });

/** Opens the list of online, active cabinets as an operator of tenant 2. */
async function onList() {
  const visited = await demo.visit();
  const { page } = visited;
  await signIn(page, demo.server.account(2, 1), ACTIVE_ONLINE);
  await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(2);
  return visited;
}

/** Filters by the cabinet's name, so that its row stays whatever its state becomes. */
async function showOnly(page: Page, name: string): Promise<Locator> {
  await page.goto(`/cupboard/index?${new URLSearchParams({ keyword: name })}`);
  const row = rowNamed(page, name);
  await row.waitFor();
  return row;
}

test("下发参数: 配置同步 of two cabinets returns to 一致 live", async () => {
  const { context, page, complaints } = await onList();
  const names = (await namesOf(page)).slice(0, 2);
  // Here a cabinet that disconnects keeps its row.
  await page.goto(ACTIVE);
  const versions: number[] = [];
  for (const name of names) {
    const sync = await rowNamed(page, name)
      .getByText(/^(一致|待同步) v/)
      .textContent();
    versions.push(Number(/v(\d+)\D*$/.exec(sync ?? "")?.[1]));
    await rowNamed(page, name).getByRole("checkbox", { name: "选择" }).check();
  }
  await page.getByRole("button", { name: "下发参数" }).click();
  const dialog = page.getByRole("dialog", { name: "下发参数" });
  await dialog.getByRole("spinbutton", { name: /音量/ }).fill("37");
  await dialog.getByRole("button", { name: "下发到 2 台设备" }).click();
  await page.getByText("参数已下发到 2 台设备").waitFor();
  await dialog.waitFor({ state: "hidden" });
  for (const [index, name] of names.entries()) {
    const synced = rowNamed(page, name).getByText(`一致 v${(versions[index] ?? 0) + 1}`);
    await synced.waitFor();
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test("暂停运营 and 恢复运营: require a reason; the row updates live", async () => {
  const { context, page, complaints } = await onList();
  const [name = ""] = await namesOf(page);
  const row = await showOnly(page, name);
  const actions = [
    { action: "暂停运营", done: "已暂停运营", lifecycle: "已暂停" },
    { action: "恢复运营", done: "已恢复运营", lifecycle: "运营中" },
  ];
  for (const { action, done, lifecycle } of actions) {
    await row.getByRole("button", { name: `更多操作：${name}` }).click();
    await chooseItem(page, action);
    const dialog = page.getByRole("dialog", { name: action });
    const confirm = dialog.getByRole("button", { name: action, exact: true });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill("例行检修");
    await confirm.click();
    await page.getByText(`${name} ${done}`).waitFor();
    await row.getByText(lifecycle, { exact: true }).waitFor();
    await dialog.waitFor({ state: "hidden" });
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test("live updates: changes by another session appear without a reload", async () => {
  const { context, page, complaints } = await onList();
  const [, name = ""] = await namesOf(page);
  const row = await showOnly(page, name);
  await page.getByText("实时", { exact: true }).waitFor();
  const address = await row.getByRole("link", { name: "格口管理" }).getAttribute("href");
  const id = new URL(address ?? "", demo.server.origin).searchParams.get("id") ?? "";
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });

  const other = await demo.visit();
  await storeSession(other.page, demo.server.account(2, 0));
  const kept = await other.page.evaluate(() => localStorage.getItem("cupboard:auth"));
  const { token, tenantId } = JSON.parse(kept ?? "{}");
  const change = (spec: typeof cabinetContract.pause | typeof cabinetContract.resume) =>
    fetch(`${demo.server.origin}${urlPath(spec).replace("{id}", id)}`, {
      method: spec.method,
      headers: {
        "auth-token": token,
        tenantId: String(tenantId),
        "content-type": "application/json",
      },
      body: JSON.stringify({ reason: "例行检修" }),
    });
  expect((await change(cabinetContract.pause)).status).toBe(200);
  await row.getByText("已暂停", { exact: true }).waitFor();
  expect((await change(cabinetContract.resume)).status).toBe(200);
  await row.getByText("运营中", { exact: true }).waitFor();
  expect(loads).toBe(0);
  expect([...complaints, ...other.complaints]).toEqual([]);
  await Promise.all([context.close(), other.context.close()]);
});
