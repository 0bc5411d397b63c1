import { expect, test } from "vitest";
import { actionIn } from "./search-hit.rules.ts";

test.each([
  ["暂停 4 号柜", "pause", "4 号柜"],
  ["暂停运营 4 号柜", "pause", "4 号柜"],
  ["重启蒋村花园店", "restart", "蒋村花园店"],
  ["4 号柜 恢复运营", "resume", "4 号柜"],
  [" 开门  3470 ", "open", "3470"],
  // A name, not a verb: all of it is looked for.
  ["开门", null, "开门"],
  ["暂停运营", null, "暂停运营"],
  ["新开门店", null, "新开门店"],
  ["13800138000", null, "13800138000"],
] as const)("search: %s", (text, action, wanted) => {
  expect(actionIn(text)).toEqual({ action, wanted });
});
