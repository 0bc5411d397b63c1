// Scrolls lists of 50 and 100 rows and counts the frames that the page draws meanwhile.
import { setTimeout as sleep } from "node:timers/promises";
import { type Figure, percentile } from "./figures.ts";
import type { Visit } from "./visit.ts";

const LIST = "/cupboardRun/rider/order?page=1&pageSize=50";
const ROW = ".ui-table tbody tr:not(.ui-table-place)";
/** Until prefetches and late parts of the page have ended. */
const SETTLE_MS = 3_000;
const TURNS = 60;
const BETWEEN_TURNS_MS = 50;
/** A page on a screen with 60 Hz counts a little less than 60. */
const GOAL = { atLeast: 59 };

/** The specification's largest page has 50 rows: shows each of them twice. */
const showTwice = ({ page }: Visit) =>
  page.route("**/order/list?*", async (route) => {
    const response = await route.fetch();
    const { data, ...envelope } = await response.json();
    const again = data.list.map((row: { id: number }) => ({ ...row, id: -row.id }));
    const json = { ...envelope, data: { ...data, list: [...data.list, ...again] } };
    await route.fulfill({ response, json });
  });

/** Scrolls 订单列表 with its largest page, and with twice as many rows; `visit` is signed in. */
export async function measureScroll(visit: Visit, origin: string): Promise<Figure[]> {
  const largest = await scroll(visit, origin, 50);
  await showTwice(visit);
  return [...largest, ...(await scroll(visit, origin, 100))];
}

/** Turns the wheel down and up again. */
async function scroll(visit: Visit, origin: string, rows: number): Promise<Figure[]> {
  const { page } = visit;
  await visit.open(new URL(LIST, origin).href, `${ROW}:nth-child(${rows})`);
  await sleep(SETTLE_MS);
  await page.locator(ROW).nth(5).hover();
  await page.evaluate(`(() => {
    const frames = (window.drawn = []);
    const note = (at) => frames.push(at) && requestAnimationFrame(note);
    requestAnimationFrame(note);
  })()`);
  for (let turn = 0; turn < TURNS; turn++) {
    // A pixel for each row: the same number of turns reaches the same part of each list.
    await page.mouse.wheel(0, turn < TURNS / 2 ? rows : -rows);
    await sleep(BETWEEN_TURNS_MS);
  }
  const frames = await page.evaluate<number[]>("window.drawn");
  const took = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
  const seconds = ((frames.at(-1) ?? 0) - (frames[0] ?? 0)) / 1_000;
  const part = `控制台，四分之一速度，滚动 ${rows} 行`;
  return [
    { part, name: "帧率", value: took.length / seconds, unit: "帧每秒", goal: GOAL },
    { part, name: "帧间隔，p95", value: percentile(took, 0.95), unit: "毫秒" },
  ];
}
