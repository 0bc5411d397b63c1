// Component tests of forms: validation, submission, refusals, leaving, controls, uploads.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useCatalogue } from "../support/catalogue.ts";

const catalogue = useCatalogue();

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const focused = (page: Page) => page.evaluate("document.activeElement.id");
const errorsOf = (page: Page) => page.locator(".ant-form-item-explain-error").allTextContents();
const writes = (requests: string[]) => requests.filter((request) => request.startsWith("POST"));
const release = (page: Page) => page.evaluate("dispatchEvent(new Event('release'))");

async function answer(page: Page, name: string): Promise<void> {
  const question = page.getByRole("dialog", { name: "放弃未保存的内容？" });
  await question.getByRole("button", { name, exact: true }).click();
  await question.waitFor({ state: "hidden" });
}

test("validation: names every field, focuses the first one, sends nothing", async () => {
  const { context, page, requests } = await catalogue.open("form/empty");
  await button(page, "保存").click();
  await expect.poll(() => errorsOf(page)).toEqual(["名称不能为空", "状态不能为空", "数量不能为空"]);
  await expect.poll(() => focused(page)).toBe("name");
  const name = page.getByLabel("名称");
  expect(await name.getAttribute("aria-invalid")).toBe("true");
  const error = await name.getAttribute("aria-describedby");
  expect(await page.locator(`[id="${error}"]`).textContent()).toBe("名称不能为空");
  await name.fill("一二三四五六七八九十一二三");
  await page.getByLabel("手机号").fill("12345");
  await page.getByLabel("价格").fill("三元");
  await page.getByLabel("数量").fill("100");
  await button(page, "保存").click();
  await expect
    .poll(() => errorsOf(page))
    .toEqual([
      "名称最多 12 个字",
      expect.stringMatching(/^手机号应为/),
      "状态不能为空",
      "价格须为金额，最多两位小数，如 3.50",
      "数量不能大于 99",
    ]);
  await page.getByLabel("价格").fill("100.01");
  await expect.poll(() => errorsOf(page)).toContain("价格不能超过 100 元");
  expect(await page.getByLabel("价格").getAttribute("aria-invalid")).toBe("true");
  await page.getByLabel("价格").fill("1.234");
  await expect.poll(() => errorsOf(page)).toContain("价格须为金额，最多两位小数，如 3.50");
  await page.getByLabel("价格").fill("12345678.9");
  await expect.poll(() => errorsOf(page)).toContain("价格不能超过 100 元");
  expect(writes(requests)).toEqual([]);
  await context.close();
});

test("submission: pressed again it is sent once; a save leaves without a question", async () => {
  const { context, page, requests } = await catalogue.open("form/held");
  await page.getByLabel("备注").fill("放在四楼");
  await page.getByLabel("名称").press("Enter");
  await page.getByLabel("名称").press("Enter");
  await button(page, "保存").click({ force: true });
  await page.getByLabel("名称").press("Enter");
  expect(await button(page, "取消").isDisabled()).toBe(true);
  expect(await button(page, "保存").isDisabled()).toBe(true);
  expect(writes(requests)).toEqual(["POST /api/catalogue/sample"]);
  await release(page);
  await page.getByText("Target of a link").waitFor();
  await page.getByText("已保存").waitFor();
  expect(writes(requests)).toHaveLength(1);
  await context.close();
});

test("during a save: nothing can be typed, and the frame stays until the answer", async () => {
  const { context, page } = await catalogue.open("form-drawer/held");
  const frame = page.getByRole("dialog", { name: "编辑样品" });
  await frame.getByLabel("备注").fill("放在四楼");
  await frame.getByLabel("备注").press("Tab");
  await frame.getByRole("button", { name: "保存", exact: true }).click();
  await expect.poll(() => frame.getByLabel("备注").isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  await frame.getByRole("button", { name: "关闭" }).click();
  await release(page);
  await frame.getByRole("alert").getByText("已存在").waitFor();
  expect(await frame.getByLabel("备注").inputValue()).toBe("放在四楼");
  expect(await frame.getByLabel("备注").isEnabled()).toBe(true);
  await context.close();
});

test("an editor: takes no text during a save, and shows the record's text when a draft is given up", async () => {
  const { context, page } = await catalogue.open("form-editor/held");
  page.on("dialog", (dialog) => dialog.accept());
  const editor = page.getByRole("textbox", { name: "正文" });
  await editor.click();
  await page.keyboard.press("End");
  await page.keyboard.type("，前半");
  await button(page, "保存").click();
  await expect.poll(() => button(page, "取消").isDisabled()).toBe(true);
  await editor.evaluate((element) => (element as { focus?: () => void }).focus?.());
  await page.keyboard.type("后半");
  await release(page);
  await page.getByRole("alert").getByText("已存在").waitFor();
  expect(await editor.textContent()).toBe("原文，前半");
  await page.reload();
  await page.getByText("已恢复上次未保存的内容").waitFor();
  expect(await editor.textContent()).toBe("原文，前半");
  await button(page, "放弃恢复").click();
  await expect.poll(() => editor.textContent()).toBe("原文");
  await context.close();
});

test("a file that is still sent: the form is not saved without it", async () => {
  const { context, page } = await catalogue.open("form-editor/held");
  const image = { name: "photo.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(10) };
  await page.getByLabel("选择文件").last().setInputFiles(image);
  await page.getByRole("progressbar").waitFor();
  await button(page, "保存").click();
  await page.getByRole("alert").getByText("还有文件在上传").waitFor();
  await release(page);
  await page.getByText("更换文件").waitFor();
  await button(page, "保存").click();
  await expect.poll(() => button(page, "取消").isDisabled()).toBe(true);
  await release(page);
  await page.getByRole("alert").getByText("已存在").waitFor();
  await context.close();
});

test("a page left during a save: the refusal is shown where the person is then", async () => {
  const { context, page } = await catalogue.open("form/held-refused");
  await page.getByLabel("备注").fill("放在四楼");
  await button(page, "保存").click();
  await page.getByRole("link", { name: "别的页面" }).click();
  await answer(page, "放弃");
  await page.getByText("Target of a link").waitFor();
  await release(page);
  await page.getByRole("status").getByText("已存在").waitFor();
  await context.close();
});

test.for([
  ["refused", "名称“样品 24”已存在，请换一个"],
  [
    "edited-meanwhile",
    "李经理已在您打开页面之后修改过，为免覆盖未作保存；您填写的内容仍在，请先查看最新内容",
  ],
  ["server-error", "系统异常：500"],
] as const)(
  "%s: the form keeps its input, shows the reason once and can be sent again",
  async ([state, text]) => {
    const { context, page, complaints, requests } = await catalogue.open(`form/${state}`);
    await page.getByRole("alert").getByText(text).waitFor();
    expect(await page.getByText(text).count()).toBe(1);
    expect(await page.getByLabel("名称").inputValue()).toBe("样品 24");
    await page.getByLabel("名称").fill("样品 25");
    await button(page, "保存").click();
    await expect.poll(() => writes(requests)).toHaveLength(2);
    await page.getByRole("alert").getByText(text).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  },
);

test("leaving: an edited page asks at links and 取消; an untouched one does not", async () => {
  const { context, page } = await catalogue.open("form/filled");
  await page.getByLabel("名称").fill("样品 25");
  await page.getByRole("link", { name: "别的页面" }).click();
  await answer(page, "继续填写");
  expect(await page.getByLabel("名称").inputValue()).toBe("样品 25");
  await button(page, "取消").click();
  await answer(page, "放弃");
  await page.getByText("Target of a link").waitFor();
  await context.close();

  const untouched = await catalogue.open("form/filled");
  await button(untouched.page, "取消").click();
  await untouched.page.getByText("Target of a link").waitFor();
  await untouched.context.close();
});

test.for(["form-drawer", "form-dialog"])(
  "%s: focuses the first field, asks before edited input is lost, returns the focus",
  async (part) => {
    const { context, page } = await catalogue.open(`${part}/filled`);
    const frame = page.getByRole("dialog", { name: "编辑样品" });
    await expect.poll(() => focused(page)).toBe("name");
    await page.keyboard.press("Escape");
    await frame.waitFor({ state: "hidden" });

    await button(page, "打开").press("Enter");
    await expect.poll(() => focused(page)).toBe("name");
    await page.keyboard.type("!");
    expect(await frame.getByLabel("名称").inputValue()).toBe("样品 24!");
    await page.keyboard.press("Escape");
    await answer(page, "继续填写");
    expect(await frame.getByLabel("名称").inputValue()).toBe("样品 24!");
    await frame.getByRole("button", { name: "关闭" }).click();
    await answer(page, "放弃");
    await frame.waitFor({ state: "hidden" });
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("打开");

    await button(page, "打开").press("Enter");
    expect(await frame.getByLabel("名称").inputValue()).toBe("样品 24");
    await frame.getByLabel("名称").fill("样品 26");
    await frame.getByLabel("名称").press("Enter");
    await page.getByText("已保存").waitFor();
    await frame.waitFor({ state: "hidden" });
    await context.close();
  },
);

test("form drawer: slides in, but not for people who prefer less motion", async () => {
  const { context, page } = await catalogue.open("form-drawer/filled");
  const frame = page.getByRole("dialog", { name: "编辑样品" });
  const reopen = async () => {
    // A drawer hears Escape once it has taken the focus.
    await expect.poll(() => focused(page)).toBe("name");
    await page.keyboard.press("Escape");
    await frame.waitFor({ state: "hidden" });
    await page.evaluate(`window.moved = [];
      addEventListener("transitionrun", (event) => moved.push(event.propertyName));`);
    await button(page, "打开").press("Enter");
    await expect.poll(() => focused(page)).toBe("name");
  };
  const moved = () => page.evaluate<string[]>("moved");
  await reopen();
  expect(await moved()).not.toContain("transform");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.reload();
  await frame.waitFor();
  await reopen();
  await expect.poll(moved).toContain("transform");
  await context.close();
});

test("form page: a reload keeps unsaved input, without phones; it can be given up", async () => {
  const { context, page } = await catalogue.open("form/filled");
  page.on("dialog", (dialog) => dialog.accept());
  const remark = page.getByLabel("备注");
  const restored = page.getByText("已恢复上次未保存的内容");
  await remark.fill("放在四楼");
  await page.getByLabel("数量").fill("");
  await page.getByLabel("手机号").fill("13812345678");
  await page.reload();
  await restored.waitFor();
  await page.getByText("（不含手机号）").waitFor();
  expect(await remark.inputValue()).toBe("放在四楼");
  expect(await page.getByLabel("数量").inputValue()).toBe("");
  expect(await page.getByLabel("手机号").inputValue()).toBe("");
  await page.getByRole("link", { name: "别的页面" }).click();
  await answer(page, "继续填写");
  await button(page, "放弃恢复").click();
  expect(await remark.inputValue()).toBe("放在三楼");
  expect(await page.getByLabel("数量").inputValue()).toBe("5");

  await remark.fill("放在五楼");
  await page.reload();
  await restored.waitFor();
  await page.getByRole("link", { name: "别的页面" }).click();
  await answer(page, "放弃");
  await page.getByText("Target of a link").waitFor();
  expect(await page.evaluate("sessionStorage.length")).toBe(0);
  await context.close();
});

test("impersonation: a form offers no save", async () => {
  const { context, page } = await catalogue.open("form/impersonation");
  await button(page, "取消").waitFor();
  expect(await button(page, "保存").count()).toBe(0);
  await context.close();
});

test("date controls: typed text counts at once; text that is no date is quoted", async () => {
  const { context, page } = await catalogue.open("controls/empty");
  const from = page.getByLabel("开始时间");
  await from.fill("2026-11-21 18:30");
  await button(page, "保存").click();
  await expect.poll(() => errorsOf(page)).toEqual(["门店不能为空", "密钥不能为空"]);
  await from.fill("下周");
  await from.blur();
  await button(page, "保存").click();
  await expect
    .poll(() => errorsOf(page))
    .toContainEqual(expect.stringMatching(/^开始时间“下周”不是/));
  await context.close();
});

test.each([
  ["2026-11-30 08:00", "2026-11-30 08:00"],
  ["2026/11/3 8:05", "2026-11-03 08:05"],
  ["２０２６－１１－３０ ０８：００", "2026-11-30 08:00"],
  ["2026年11月30日", "2026-11-30 00:00"],
])("date and time typed letter by letter: %s is %s", async (typed, shown) => {
  const { context, page } = await catalogue.open("controls/empty");
  const from = page.getByLabel("开始时间");
  await from.pressSequentially(typed);
  await from.press("Tab");
  await expect.poll(() => from.inputValue()).toBe(shown);
  await button(page, "保存").click();
  await expect.poll(() => errorsOf(page)).toEqual(["门店不能为空", "密钥不能为空"]);
  await context.close();
});

test("date that the calendar does not have: quoted, not moved to another day", async () => {
  const { context, page } = await catalogue.open("controls/empty");
  const from = page.getByLabel("开始时间");
  await from.pressSequentially("2027-02-30 10:00");
  await from.press("Tab");
  await button(page, "保存").click();
  await expect
    .poll(() => errorsOf(page))
    .toContainEqual(expect.stringMatching(/^开始时间“2027-02-30 10:00”不是/));
  await context.close();
});

test("controls: generated secret, region by keyboard and opening hours reach the form's values", async () => {
  const { context, page } = await catalogue.open("controls/filled");
  await button(page, "生成").click();
  const secret = await page.getByLabel("密钥").inputValue();
  expect(secret).toMatch(/^\w{16}$/);
  await page.getByRole("radio", { name: "全天" }).check();
  await button(page, "保存").click();
  const toast = page.getByRole("status").filter({ hasText: "全天" });
  expect(JSON.parse((await toast.textContent()) ?? "")).toEqual({
    store: 1,
    from: "2026-11-21T04:00:00.000Z",
    hours: "全天",
    region: "浙江省 杭州市 西湖区",
    secret,
  });
  await context.close();
});

test("upload: names a wrong file, shows progress, can be cancelled and replaced", async () => {
  const { context, page, requests } = await catalogue.open("upload/slow");
  const input = page.getByLabel("选择文件");
  const file = (name: string, size = 10) => ({
    name,
    mimeType: "image/jpeg",
    buffer: Buffer.alloc(size),
  });
  await input.setInputFiles(file("notes.txt"));
  await page.getByRole("alert").getByText("不支持“notes.txt”").waitFor();
  await input.setInputFiles(file("empty.jpg", 0));
  await page.getByRole("alert").getByText("“empty.jpg”是空文件").waitFor();
  expect(requests).toEqual([]);
  await input.setInputFiles(file("photo.jpg"));
  await expect.poll(() => page.getByRole("progressbar").getAttribute("value")).toBe("50");
  expect(await page.getByRole("alert").count()).toBe(0);
  await button(page, "取消").click();
  await page.getByText("点击选择").waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  await input.setInputFiles(file("photo.jpg"));
  await page.getByRole("progressbar").waitFor();
  await release(page);
  await page.getByText("photo.jpg").waitFor();
  await button(page, "更换文件").waitFor();
  // Replaced twice, then given up: the first file is still the form's.
  await input.setInputFiles(file("second.jpg"));
  await page.getByText("second.jpg").waitFor();
  await input.setInputFiles(file("third.jpg"));
  await page.getByText("third.jpg").waitFor();
  await button(page, "取消").click();
  await button(page, "更换文件").waitFor();
  await page.getByText("photo.jpg").waitFor();
  await context.close();

  const refused = await catalogue.open("upload/refused");
  await refused.page.getByLabel("选择文件").setInputFiles(file("photo.jpg"));
  await refused.page.getByRole("alert").getByText("图片无法识别，请换一张").waitFor();
  await refused.page.getByText("点击选择").waitFor();
  await refused.context.close();
});

/** Colour of a token as the browser computes it. */
const token = (page: Page, name: string) =>
  page.evaluate(`(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "var(--${name})";
    return getComputedStyle(probe).color;
  })()`);

// axe skips the button, which has a line of its own above it, and marks.
test("dark: a chosen button and the marks of fields are readable", async () => {
  for (const [state, part, name] of [
    ["radio-buttons/chosen", ".ant-radio-button-wrapper-checked", "brand-ink"],
    ["controls/empty", ".ant-select-suffix", "ink-3"],
    ["controls/empty", ".ant-picker-suffix", "ink-3"],
  ] as const) {
    const { context, page } = await catalogue.open(state);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    const color = () => page.evaluate(`getComputedStyle(document.querySelector("${part}")).color`);
    const isToken = async () => (await color()) === (await token(page, name));
    await expect.poll(isToken, { message: part }).toBe(true);
    await context.close();
  }
});

test("rates: overlapping rows are named and marked; a new row begins with the fees of the last one", async () => {
  const { context, page } = await catalogue.open("pricing-form/overlap");
  const problem = "第 2 行（20:00–次日 08:00）与第 3 行（06:00–10:00）的时段重叠";
  await expect.poll(() => errorsOf(page)).toEqual([problem]);
  const row = (nth: number) => page.getByRole("group", { name: `第 ${nth} 行` });
  const marked = () => Promise.all([1, 2, 3].map((nth) => row(nth).getAttribute("data-wrong")));
  await expect.poll(marked).toEqual(["false", "true", "true"]);
  await row(3).getByRole("button", { name: "删除第 3 行" }).click();
  await expect.poll(() => errorsOf(page)).toEqual([]);
  await button(page, "添加规格或时段价格").click();
  await expect.poll(() => row(3).getByLabel("每单位价格").inputValue()).toBe("0.50");
  await row(1).getByLabel("每单位价格").fill("");
  await button(page, "保存").click();
  await expect.poll(() => errorsOf(page)).toEqual(["第 1 行每单位价格不能为空"]);
  await row(1).getByLabel("每单位价格").fill("3.999");
  await expect
    .poll(() => errorsOf(page))
    .toEqual(["第 1 行每单位价格须为金额，最多两位小数，如 3.50"]);

  // Small at night, then large.
  const example = page.getByRole("table", { name: "费用示例" });
  await page.getByRole("combobox", { name: "下单时间" }).fill("20:00");
  await page.getByRole("combobox", { name: "下单时间" }).press("Enter");
  await example.getByRole("row", { name: "2 小时 ¥1.00" }).waitFor();
  await button(page, "大格").click();
  await example.getByRole("row", { name: "2 小时 ¥6.00" }).waitFor();
  await context.close();
});
