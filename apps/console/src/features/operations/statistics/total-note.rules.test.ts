// Note under the number of devices on the home page.
import { expect, it } from "vitest";
import { totalNote } from "./total-note.rules.ts";

const counts = { total: 40, online: 30, offline: 10, never: 0, retired: 0 };

it("device total: names the devices that neither 在线 nor 离线 counts", () => {
  expect(totalNote(counts)).toBe("");
  expect(totalNote({ ...counts, online: 26 })).toBe("其中 4 台连接中");
  expect(totalNote({ ...counts, total: 47, online: 32, never: 3, retired: 2 })).toBe(
    "其中 2 台连接中、3 台从未连接，另有 2 台已停用",
  );
});
