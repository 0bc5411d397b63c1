// 门店断网 as one incident: seen on 首页, opened on its page, followed to cabinet and store.
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { signIn } from "./support/browser.ts";
import { useDemo } from "./support/test-server.ts";

const demo = useDemo();

/** The outage of the store with the most cabinets, an hour old; detection alone takes minutes. */
const OUTAGE = `
  with place as (
    select cabinet.tenant_id, cabinet.store_id from cabinet
    where cabinet.tenant_id = 2 and cabinet.store_id is not null and cabinet.lifecycle = 'ACTIVE'
    group by 1, 2 order by count(*) desc, 2 limit 1
  ), made as (
    insert into malfunction (tenant_id, store_id, kind, severity, source, description, created_at)
    select tenant_id, store_id, 'OFFLINE', 'SEVERE', 'DEVICE', '门店断网或断电：设备同时离线',
      now() - interval '59 minutes' from place
    returning tenant_id, id, store_id
  )
  insert into outage_cabinet (tenant_id, malfunction_id, cabinet_id, last_seen_at)
  select cabinet.tenant_id, made.id, cabinet.id, now() - interval '1 hour'
  from made join cabinet on cabinet.tenant_id = made.tenant_id
    and cabinet.store_id = made.store_id and cabinet.lifecycle = 'ACTIVE'`;

test("store outage: from 首页 to its page, its cabinets and its store", async () => {
  await demo.run(OUTAGE);
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/dashboard");
  const strip = page.getByRole("region", { name: "待处理故障" });
  const first = strip.getByRole("listitem").first();
  await first.getByText("严重", { exact: true }).waitFor();
  await first.getByRole("link", { name: /^门店断网/ }).click();
  await page.waitForURL(/\/malfunction\/incident\?id=\d+$/);
  const id = Number(new URL(page.url()).searchParams.get("id"));
  const { data } = await callApiAs(page, malfunctionContract.get, { params: { id } });
  expect(data.outage.length).toBeGreaterThan(1);

  const impact = page.getByRole("list", { name: "影响范围" });
  await impact.getByText(`${data.outage.length} 台`, { exact: true }).waitFor();
  const cabinets = page.getByRole("table", { name: "影响的设备" });
  const names = data.outage.map(({ name }) => name);
  await expect.poll(() => cabinets.locator("tbody a").allTextContents()).toEqual(names);
  await page.getByText("没有通知任何人").waitFor();
  await page.getByRole("button", { name: "受理", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: /^受理/ });
  await dialog.getByRole("button", { name: "受理", exact: true }).click();
  await page.getByText("处理中", { exact: true }).first().waitFor();

  await cabinets.getByRole("link").first().click();
  await page.waitForURL(/\/cupboard\/blockManage\?id=/);
  await page.getByRole("gridcell").first().waitFor();

  await page.goto(`/point/index?name=${encodeURIComponent(data.storeName ?? "")}`);
  const stores = page.getByRole("table", { name: "门店列表" });
  await stores
    .getByRole("button", { name: data.storeName ?? "", exact: true })
    .first()
    .click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("link", { name: /^门店断网/ }).click();
  await page.waitForURL(`**/malfunction/incident?id=${id}`);
  await page.getByRole("table", { name: "影响的设备" }).waitFor();

  await page.goto("/malfunction/index?state=OPEN&minMinutes=30");
  const rows = page.getByRole("table", { name: "故障处理" });
  await rows
    .getByRole("button", { name: `#${id} 门店断网` })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("link", { name: "查看影响范围与通知" }).click();
  await page.waitForURL(`**/malfunction/incident?id=${id}`);
  await page.getByRole("table", { name: "影响的设备" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
