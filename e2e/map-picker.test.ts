// The place of a store: without a map key on our own origin only, with a key on a map; map failures.
import { tenantSettingContract } from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { mockAmap } from "./support/amap-double.ts";
import { callApiAs } from "./support/api.ts";
import { signIn, storeSession, type Visit } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const NEW_STORE = "/point/pointEdit";
const KEY = "0123456789abcdef0123456789abcdef";
const SECURITY_CODE = "fedcba9876543210fedcba9876543210";

const testServer = useWrittenDemo();

let visited: Visit | null = null;
afterEach(async () => {
  await visited?.context.close();
  visited = null;
});

const longitude = (page: Page) => page.getByLabel("经度");
const latitude = (page: Page) => page.getByLabel("纬度");
const address = (page: Page) => page.getByLabel("详细地址");
const values = async (page: Page) =>
  Promise.all([longitude(page).inputValue(), latitude(page).inputValue()]);

describe("without a key", () => {
  test("coordinates: typed or pasted, validated; no request to another origin", async () => {
    visited = await testServer.visit();
    const { page, complaints } = visited;
    const origins = new Set<string>();
    page.on("request", (request) => origins.add(new URL(request.url()).origin));
    await signIn(page, testServer.server.account(2, 1), NEW_STORE);
    await longitude(page).fill("30.28");
    await latitude(page).fill("120.07");
    await page.getByRole("button", { name: "新增" }).click();
    await page.getByText("经度和纬度填反了，请对调").waitFor();
    await longitude(page).fill("");
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", "120.067612, 30.279934");
      const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true });
      document.activeElement.dispatchEvent(paste);
    })()`);
    await expect.poll(() => values(page)).toEqual(["120.067612", "30.279934"]);
    const link = page.getByRole("link", { name: "在高德地图中查看" });
    await expect.poll(() => link.getAttribute("href")).toContain("position=120.067612%2C30.279934");
    await expect.poll(() => link.getAttribute("rel")).toContain("noopener");
    expect(await page.locator("iframe").count()).toBe(0);
    expect([...origins]).toEqual([testServer.server.origin]);
    expect(complaints).toEqual([]);
  });
});

describe("with a key", () => {
  /** Its tenant alone gets the key. */
  const operator = () => testServer.server.account(1, 1);

  beforeAll(async () => {
    const { context, page } = await testServer.visit();
    await storeSession(page, operator());
    const { data } = await callApiAs(page, tenantSettingContract.setting, {});
    const { isHint, tellsOverdue, servicePhone, openingHours, smsSign, logoId } = data;
    const texts = { isHint, tellsOverdue, servicePhone, openingHours, smsSign, logoId };
    const body = { ...texts, editVersion: data.editVersion, mapKey: KEY, mapCode: SECURITY_CODE };
    expect((await callApiAs(page, tenantSettingContract.saveSetting, { body })).errMsg).toBe("");
    await context.close();
  });

  async function onForm() {
    visited = await testServer.visit();
    const amap = await mockAmap(visited.context);
    const { page } = visited;
    await storeSession(page, operator());
    return { ...visited, amap };
  }

  test("map: search, click, drag and locate fill the coordinates; the address is only suggested", async () => {
    const { page, complaints, amap } = await onForm();
    const secrets: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes(SECURITY_CODE)) secrets.push(request.url());
    });
    await page.goto("/point/index");
    await page.getByRole("button", { name: "新增门店" }).waitFor();
    expect(amap.requests, "the map is loaded where it is used").toEqual([]);
    await page.getByRole("button", { name: "新增门店" }).click();
    const frame = page.frameLocator("iframe");
    const map = frame.locator("#map");
    await map.and(frame.locator("[data-center]")).waitFor();
    const [scriptUrl] = amap.requests;
    expect(scriptUrl?.searchParams.get("key")).toBe(KEY);
    expect(scriptUrl?.searchParams.get("plugin")?.split(",")).toEqual(
      expect.arrayContaining([
        "AMap.AutoComplete",
        "AMap.PlaceSearch",
        "AMap.Geolocation",
        "AMap.Geocoder",
      ]),
    );
    const service = await map.evaluate("_AMapSecurityConfig.serviceHost");
    expect(service).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/map\/[\w.-]+\/_AMapService$/);

    const search = page.getByRole("combobox", { name: "搜索地点" });
    await search.fill("西溪");
    await page.getByText("浙江省杭州市西湖区 天目山路", { exact: true }).click();
    await expect.poll(() => values(page)).toEqual(["120.080000", "30.270000"]);
    await frame.getByRole("button", { name: "标记 120.08,30.27" }).waitFor();
    await page.getByText("测试路 120.080,30.270").waitFor();
    await page.getByRole("button", { name: "填入地址" }).click();
    await expect.poll(() => address(page).inputValue()).toBe("测试路 120.080,30.270");
    await page.getByText("浙江省 / 杭州市 / 西湖区").waitFor();

    await map.click({ position: { x: 200, y: 100 } });
    await expect.poll(() => values(page)).toEqual(["120.200000", "30.100000"]);
    await page.getByText("测试路 120.200,30.100").waitFor();
    expect(await address(page).inputValue(), "offered, not taken").toBe("测试路 120.080,30.270");

    const marker = frame.getByRole("button", { name: "标记 120.2,30.1" });
    await marker.dragTo(map, { targetPosition: { x: 300, y: 150 } });
    await expect.poll(() => values(page)).toEqual(["120.300000", "30.150000"]);

    await page.getByRole("button", { name: "定位到我" }).click();
    await page.getByText("只得到大致位置").waitFor();
    await expect.poll(() => values(page)).toEqual(["120.155000", "30.274000"]);
    await page.context().grantPermissions(["geolocation"]);
    await page.context().setGeolocation({ longitude: 120.1, latitude: 30.2 });
    await page.getByRole("button", { name: "定位到我" }).click();
    await expect.poll(() => values(page)).toEqual(["120.105000", "30.205000"]);

    await search.fill("西溪");
    await search.press("Enter");
    await page
      .getByRole("option", { name: "西溪站 浙江省杭州市西湖区", exact: true })
      .first()
      .waitFor({ state: "attached" });
    await search.fill("坏了");
    await search.press("Enter");
    await page.getByText("搜索没有成功").waitFor();

    await longitude(page).fill("121.5");
    await frame.getByRole("button", { name: "标记 121.5,30.205" }).waitFor();
    expect(secrets).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("map script: a hostile one reaches neither token, console nor API, and cannot break the form", async () => {
    const { page, amap } = await onForm();
    amap.script = "amap-hostile.js";
    await page.goto(NEW_STORE);
    const loot = page.frameLocator("iframe").locator("#map[data-loot]");
    await loot.waitFor();
    const { sessions, ...tried } = JSON.parse((await loot.getAttribute("data-loot")) ?? "");
    expect(sessions).toEqual([null, null]);
    const names = ["parentStorage", "parentDocument", "topLocation", "session", "database"];
    expect(Object.keys(tried).sort()).toEqual(names.toSorted());
    for (const [name, result] of Object.entries(tried)) expect(result, name).toMatch(/Error$/);
    await page.getByText("地图加载失败，可直接填写坐标").waitFor();
    await longitude(page).fill("120.1");
    await expect.poll(() => longitude(page).inputValue()).toBe("120.1");
    expect(new URL(page.url()).pathname).toBe(NEW_STORE);
    expect(await page.evaluate("localStorage.getItem('cupboard:auth')")).toContain("token");
  });

  test("map failure: the form still works, and 重试 loads the map", async () => {
    const { page, amap } = await onForm();
    amap.isReachable = false;
    await page.goto(NEW_STORE);
    await page.getByText("地图加载失败，可直接填写坐标").waitFor();
    await longitude(page).fill("120.1");
    await latitude(page).fill("30.2");
    expect(await page.locator("iframe").count()).toBe(0);
    amap.isReachable = true;
    await page.getByRole("button", { name: "重试" }).click();
    const frame = page.frameLocator("iframe");
    await frame.getByRole("button", { name: "标记 120.1,30.2" }).waitFor();
    expect(await values(page)).toEqual(["120.100000", "30.200000"]);
  });
});
