// Benchmarks the web page of riders and recipients on a slow phone: a scanned cabinet, with an empty cache and again.
import { setTimeout as sleep } from "node:timers/promises";
import { cabinetPagePath } from "@cabinet/contract/orders/app/app-page.rules.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { openBrowser } from "../e2e/support/browser.ts";
import type { BenchServer } from "./bench-server.ts";
import { type Figure, median } from "./figures.ts";
import { openVisit } from "./visit.ts";

const ROUNDS = 5;
const GOALS = { kb: 60, interactiveMs: 1_000, shift: 0.02 };
const PHONE = { slowdown: 4, is4g: true } as const;
/** Drawn as soon as the page runs: picking up waits for no answer. */
const USABLE = 'a[href$="/pickup"]';
/** Time for what is loaded after the page is usable. */
const SETTLE_MS = 1_500;

export async function benchPickup({ database, server }: BenchServer): Promise<Figure[]> {
  const { sn } = await database.read("platform", (db) =>
    db.one<{ sn: string }>(sql`
      select cabinet.sn from cabinet
      join web_page_setting web_page on web_page.tenant_id = cabinet.tenant_id and web_page.is_on
      where cabinet.lifecycle = 'ACTIVE' order by cabinet.id limit 1`),
  );
  const url = server.origin + cabinetPagePath(sn);
  const browser = await openBrowser();
  const runs: { ms: number; bytes: number; shift: number; againMs: number }[] = [];
  try {
    // The first round is warm-up.
    for (let round = 0; round <= ROUNDS; round++) {
      const visit = await openVisit(browser, PHONE);
      const { ms } = await visit.open(url, USABLE);
      await sleep(SETTLE_MS);
      const transfers = await visit.transfers();
      const { shift } = await visit.unrest();
      const again = await visit.open(url, USABLE);
      await visit.close();
      if (round === 0) continue;
      const bytes = transfers.reduce((sum, transfer) => sum + transfer.bytes, 0);
      runs.push({ ms, bytes, shift, againMs: again.ms });
    }
  } finally {
    await browser.close();
  }
  const of = (pick: (run: (typeof runs)[number]) => number) => median(runs.map(pick));
  const part = "网页版，四分之一速度，4G，扫码打开一台柜机";
  return [
    {
      ...{ part, name: "共传输，无缓存", unit: "kB", goal: { atMost: GOALS.kb } },
      value: of(({ bytes }) => bytes) / 1_000,
    },
    {
      ...{ part, name: "可用，无缓存", unit: "毫秒", goal: { atMost: GOALS.interactiveMs } },
      value: of(({ ms }) => ms),
    },
    { part, name: "再次打开可用", unit: "毫秒", value: of(({ againMs }) => againMs) },
    {
      ...{ part, name: "布局偏移", unit: "", goal: { atMost: GOALS.shift } },
      value: of(({ shift }) => shift),
    },
  ];
}
