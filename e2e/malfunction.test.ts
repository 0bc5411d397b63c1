// 故障 end to end: reported by hand, assigned, resolved on a phone with a photo, closed.
import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { beforeAll, expect, test } from "vitest";
import { storeSession, type Visit } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();
/** Caretaker account of the demo. */
const own = "孙浩";

/** PNG of noise, as large as a camera photo and above the upload limit: the console shrinks it. */
function largePhoto(width = 1600, height = 1200): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const rows = Array.from({ length: height }, () =>
    Buffer.concat([Buffer.alloc(1), randomBytes(width * 3)]),
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 0 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
let manager: Visit;
let caretaker: Visit;
beforeAll(async () => {
  manager = await demo.visit();
  await storeSession(manager.page, demo.server.account(2, 1));
  caretaker = await demo.visit({ width: 390, height: 844 });
  await storeSession(caretaker.page, demo.server.account(2, 2));
});

test("malfunction: reported by hand, assigned to the caretaker, resolved on a phone, closed", async () => {
  const { page } = manager;
  const phone = caretaker.page;
  // Take a cabinet that the caretaker sees.
  await phone.goto("/cupboard/index?connectivity=ONLINE");
  const name = await phone
    .getByRole("table")
    .getByRole("row")
    .nth(1)
    .getByRole("button")
    .first()
    .textContent();

  await page.goto("/malfunction/index");
  await page.getByRole("button", { name: "新建故障" }).click();
  const form = page.getByRole("dialog", { name: "新建故障" });
  await form.getByRole("button", { name: "登记故障" }).click();
  await form.getByText("设备不能为空").waitFor();
  await form.getByLabel("设备").fill(name ?? "");
  await page
    .locator(".ant-select-item-option")
    .filter({ hasText: `${name}（` })
    .click();
  await form.getByLabel("格口").fill("1");
  await form.getByLabel("故障类型").click();
  await page.locator(".ant-select-item-option").filter({ hasText: "震动" }).click();
  await form.getByLabel("级别").click();
  await page.locator(".ant-select-item-option").filter({ hasText: "严重" }).click();
  await form.getByLabel("故障现象").fill("箱门边缘有撬痕");
  await form.getByRole("button", { name: "登记故障" }).click();
  const toastText = await page.getByText(/故障 #\d+ 已登记/).textContent();
  const id = /\d+/.exec(toastText ?? "")?.[0] ?? "";
  // The title names the kind as soon as the list has the row.
  const title = new RegExp(`^(故障 )?#${id}\\b`);
  const drawer = page.getByRole("dialog", { name: title });
  await drawer.getByText("待受理").first().waitFor();

  await drawer.getByRole("button", { name: "派单" }).click();
  const giving = page.getByRole("dialog", { name: /派单：/ });
  await giving.getByLabel("处理人").click();
  await page.locator(".ant-select-item-option").filter({ hasText: own }).click();
  await giving.getByRole("button", { name: "派单" }).click();
  await page.getByText(new RegExp(`^已派给${own}（[\\w-]+）$`)).waitFor();
  await drawer.getByText("已派单").first().waitFor();

  // The caretaker's phone shows the assignment on any page; accept it there.
  await phone.getByRole("button", { name: /^消息中心/ }).click();
  const notice = phone
    .getByRole("dialog", { name: "消息中心" })
    .getByRole("listitem")
    .filter({ hasText: "：请您受理，未读" });
  await notice.getByRole("link").first().click();
  await phone.waitForURL(`**/malfunction/incident?id=${id}`);
  const work = phone.getByRole("main");
  await work.getByText("箱门边缘有撬痕").first().waitFor();
  await work.getByText("已持续", { exact: true }).waitFor();
  await work.getByRole("button", { name: "受理" }).click();
  await work.getByText("处理中").first().waitFor();

  // Later: the list begins with the caretaker's and unassigned malfunctions; every choice is in
  // sight, and a tap on the card opens one.
  await phone.goto("/malfunction/index");
  await phone.waitForURL(({ searchParams }) => {
    return searchParams.get("state") === "OPEN" && searchParams.get("assignee") === "mine-or-none";
  });
  const bar = phone.getByRole("group", { name: "故障范围" });
  await bar.getByRole("button", { name: /^待办 \d+$/, pressed: true }).waitFor();
  const places = await bar
    .getByRole("button")
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().toJSON()));
  places.forEach(({ top, left, right }, index) => {
    // High counts need a second row.
    const before = places[index - 1];
    expect(!before || left >= before.right || top >= before.bottom).toBe(true);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(390);
  });
  await bar.getByRole("button", { name: /^我的/ }).click();
  await phone.waitForURL(({ searchParams }) => searchParams.get("assignee") === "mine");
  const card = phone.getByRole("row").filter({ hasText: `#${id} 震动` });
  await card.click();
  const mine = phone.getByRole("dialog", { name: `#${id} 震动`, exact: true });
  // One's own malfunction is the reason of the opening test.
  await mine.getByRole("button", { name: "开门测试" }).click();
  const opening = phone.getByRole("dialog", { name: /开门测试：/ });
  await opening.getByText("秒内有效").waitFor();
  expect(await opening.getByRole("textbox").count()).toBe(0);
  await opening.getByRole("button", { name: "取消" }).click();
  await demo.run(`
    update compartment comp set admin_state = 'FAULT', admin_reason = '锁坏'
    from malfunction fault
    where fault.id = ${id} and comp.cabinet_id = fault.cabinet_id and comp.no = 1`);
  await mine.getByRole("button", { name: "完成处理" }).click();
  // Opening test, photo and result are on one page.
  const done = phone.getByRole("dialog", { name: /完成处理：/ });
  await done.getByRole("button", { name: "开门测试：1 号格口箱门" }).click();
  await done.getByText("已开门", { exact: true }).waitFor();
  await done.getByLabel("故障原因").fill("有人用力拉拽箱门");
  await done.getByRole("button", { name: "锁具损坏" }).click();
  expect(await done.getByLabel("同时启用 1 号格口").isChecked()).toBe(true);
  await done.getByLabel("处理措施").fill("校正门板，开门测试正常");
  const upload = Promise.withResolvers<void>();
  const isUpload = ({ pathname }: URL) => pathname === urlPath(malfunctionContract.uploadPhoto);
  await phone.route(isUpload, async (route) => {
    await upload.promise;
    await route.continue();
  });
  await done
    .getByLabel("选择照片")
    .setInputFiles({ name: "门.png", mimeType: "image/png", buffer: largePhoto() });
  // Slow network: 完成处理 is refused while the photo is still uploading.
  await done.getByRole("button", { name: "完成处理" }).click();
  await done.getByText("照片还在上传，请稍候再提交").waitFor();
  upload.resolve();
  await done.getByAltText("门.jpg").waitFor();
  await done.getByRole("button", { name: "完成处理" }).click();
  await phone.getByText("处理结果已保存，1 号格口已启用").waitFor();
  await mine.getByText("已处理").first().waitFor();

  // The manager sees the result and the photo live, then closes the malfunction.
  await drawer.getByText("有人用力拉拽箱门，锁具损坏").first().waitFor();
  await drawer.getByRole("button", { name: "查看照片 1" }).click();
  await page.getByText("照片 1 / 1").waitFor();
  await page.keyboard.press("Escape");
  await drawer.getByRole("button", { name: "关闭故障", exact: true }).click();
  await page
    .getByRole("dialog", { name: /关闭故障：/ })
    .getByRole("button", { name: "关闭故障" })
    .click();
  await drawer.getByText("已关闭").first().waitFor();
});

test("malfunction list: empty query parameters are ignored", async () => {
  const { page } = manager;
  const names = ["state", "severity", "storeId", "assignee", "page", "sort", "open", "view"];
  for (const search of ["state=", names.map((name) => `${name}=`).join("&")]) {
    await page.goto(`/malfunction/index?${search}`);
    await page.getByRole("table", { name: "故障处理" }).getByRole("row").nth(1).waitFor();
    await page.waitForURL((url) => url.searchParams.get("state") === "OPEN");
  }
});
