// Every event of a compartment reads as a Chinese sentence.
import { EVENT_TYPES } from "@cabinet/link";
import { describe, expect, it } from "vitest";
import { type EventFacts, eventText } from "./compartment-event.rules.ts";

const opened: EventFacts = {
  kind: "DOOR_OPENED",
  side: "FRONT",
  isDoubleSided: false,
  payload: null,
  openedBy: null,
  openedFor: null,
};

describe("the text of an event", () => {
  it("names the door only where there are two", () => {
    expect(eventText(opened)).toBe("箱门打开");
    expect(eventText({ ...opened, isDoubleSided: true })).toBe("正面箱门打开");
    expect(eventText({ ...opened, isDoubleSided: true, side: "BACK" })).toBe("背面箱门打开");
  });

  it("says who opened from afar and why", () => {
    expect(eventText({ ...opened, openedBy: "李伟", openedFor: "用户忘记取件码" })).toBe(
      "箱门打开（李伟远程开门：用户忘记取件码）",
    );
  });

  it("says when an alarm is over", () => {
    expect(eventText({ ...opened, kind: "DOOR_LEFT_OPEN", payload: { value: 120 } })).toBe(
      "箱门长时间未关（120 秒）",
    );
    expect(eventText({ ...opened, kind: "POWER_LOW", payload: { active: false } })).toBe(
      "电源不足已恢复",
    );
  });

  it("says what a person did and why", () => {
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
    ).toBe("盘点（李伟）：所见有物，与记录不符，已更正");
  });

  it("knows every compartment event of the link, and shows an unknown one as it came", () => {
    for (const kind of EVENT_TYPES.filter((type) => type !== "JOB")) {
      expect(eventText({ ...opened, kind })).not.toContain(kind);
    }
    expect(eventText({ ...opened, kind: "LID_LIFTED" })).toBe("其他事件（LID_LIFTED）");
  });
});
