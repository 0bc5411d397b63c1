// Event texts: a Chinese sentence for every cabinet event.
import { knownKinds } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import { EVENT_TYPES } from "@cabinet/link";
import { describe, expect, it } from "vitest";
import { type EventFacts, eventText } from "./event-text.rules.ts";

const opened: EventFacts = {
  kind: "DOOR_OPENED",
  side: "FRONT",
  isDoubleSided: false,
  payload: null,
  openedBy: null,
  openedFor: null,
};

describe("eventText", () => {
  it("names the door only where there are two", () => {
    expect(eventText(opened)).toBe("箱门打开");
    expect(eventText({ ...opened, isDoubleSided: true })).toBe("正面箱门打开");
    expect(eventText({ ...opened, isDoubleSided: true, side: "BACK" })).toBe("背面箱门打开");
  });

  it("names the person who opened remotely, and the reason", () => {
    expect(eventText({ ...opened, openedBy: "李伟", openedFor: "用户忘记取件码" })).toBe(
      "箱门打开（李伟远程开门：用户忘记取件码）",
    );
  });

  it("shows that an alarm is over", () => {
    expect(eventText({ ...opened, kind: "DOOR_LEFT_OPEN", payload: { value: 120 } })).toBe(
      "箱门长时间未关（120 秒）",
    );
    expect(eventText({ ...opened, kind: "POWER_LOW", payload: { active: false } })).toBe(
      "电源不足已恢复",
    );
  });

  it("shows a person's action and reason", () => {
    const payload = { actorName: "李伟", reason: "锁舌卡住" };
    expect(eventText({ ...opened, kind: "COMPARTMENT_FAULT", payload })).toBe(
      "标记故障（李伟：锁舌卡住）",
    );
    expect(
      eventText({
        ...opened,
        kind: "STOCK_AUDITED",
        payload: { actorName: "李伟", found: "PRESENT", isCorrected: true },
      }),
    ).toBe("盘点（李伟）：现场有物，与记录不符，已更正");
  });

  it("shows measured values, and the offset of the cabinet's clock", () => {
    const high = { ...opened, kind: "TEMPERATURE_HIGH", side: null };
    expect(eventText({ ...high, payload: { active: true, value: 41.5 } })).toBe(
      "温度过高（41.5 ℃）",
    );
    expect(eventText({ ...high, kind: "CLOCK_SKEW", payload: { skewSeconds: -400 } })).toBe(
      "设备时钟偏差 -400 秒",
    );
  });

  it("names readings that are ignored, and counters that cannot be right", () => {
    const readings = [
      { field: "temperatureC", value: "-127" },
      { field: "job.reason", value: '""' },
      { field: "openDoors", value: "" },
    ];
    const invalid = { ...opened, kind: "INVALID_READINGS", side: null };
    expect(eventText({ ...invalid, payload: { readings, count: 3 } })).toBe(
      '温度传感器读数无效（-127）、升级任务读数无效（""）、开门数读数无效，同类共 3 条',
    );
    const payload = { topic: "up/evt", why: "COUNTER", detail: "/n 4294967295" };
    expect(eventText({ ...opened, kind: "REPORT_DROPPED", payload })).toBe(
      "上报被丢弃：up/evt 计数与已知的相差过大（/n 4294967295）",
    );
  });

  it("shows what the server observed", () => {
    const seen = { ...opened, side: null };
    expect(eventText({ ...seen, kind: "SIGN_IN_REFUSED", payload: { why: "UNKNOWN_KEY" } })).toBe(
      "连接被拒绝：密钥不存在或已失效",
    );
    expect(eventText({ ...seen, kind: "STORE_OUTAGE", payload: { total: 6 } })).toBe(
      "门店断网：同店 6 台设备断网",
    );
    for (const kind of knownKinds) expect(eventText({ ...seen, kind })).not.toContain(kind);
  });

  it("shows the progress of a job", () => {
    const job = { jobId: "12345678", status: "FAILED", reason: "CHECKSUM" };
    expect(eventText({ ...opened, kind: "JOB", payload: { job } })).toBe(
      "升级任务：失败（CHECKSUM）",
    );
    expect(eventText({ ...opened, kind: "JOB" })).toBe("升级任务");
  });

  it("covers every event of the link, and shows an unknown kind by its code", () => {
    for (const kind of EVENT_TYPES) {
      expect(eventText({ ...opened, kind })).not.toContain(kind);
    }
    expect(eventText({ ...opened, kind: "LID_LIFTED" })).toBe("其他事件（LID_LIFTED）");
  });
});
