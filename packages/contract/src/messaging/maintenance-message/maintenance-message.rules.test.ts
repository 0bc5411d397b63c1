// Tests when a malfunction is notified, with properties over any rule and any time.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signedText, smsSegments } from "../sms/sms.rules.ts";
import { builtInText } from "../template/sms-template.rules.ts";
import {
  type AlertProgress,
  defaultRule,
  judgeAlert,
  noticeFacts,
  quietUntil,
  RULE_KINDS,
  type RuleDraft,
  ruleProblem,
  TENANT_KINDS,
} from "./maintenance-message.rules.ts";

const MINUTE = 60_000;
const at = (time: string) => Date.parse(`2026-11-21T${time}:00+08:00`);

describe("quiet hours", () => {
  it.each([
    ["22:00", "07:00", "21:59", null],
    ["22:00", "07:00", "22:00", "2026-11-22T07:00"],
    ["22:00", "07:00", "23:30", "2026-11-22T07:00"],
    ["22:00", "07:00", "06:59", "2026-11-21T07:00"],
    ["22:00", "07:00", "07:00", null],
    ["12:30", "14:00", "13:00", "2026-11-21T14:00"],
    ["12:30", "14:00", "14:00", null],
  ])("%s to %s at %s", (quietFrom, quietTo, time, until) => {
    const expected = until === null ? null : Date.parse(`${until}:00+08:00`);
    expect(quietUntil(at(time), { quietFrom, quietTo })).toBe(expected);
  });

  it("never apply without a start and an end", () => {
    expect(quietUntil(at("23:00"), { quietFrom: null, quietTo: null })).toBeNull();
  });

  const time = fc
    .integer({ min: 0, max: 1439 })
    .map(
      (m) => `${String(Math.floor(m / 60)).padStart(2, "0")}:${String(m % 60).padStart(2, "0")}`,
    );

  it("end at quietTo, at most a day later", () => {
    fc.assert(
      fc.property(time, time, fc.integer({ min: 0, max: 2e12 }), (quietFrom, quietTo, now) => {
        fc.pre(quietFrom !== quietTo);
        const until = quietUntil(now, { quietFrom, quietTo });
        if (until === null) return;
        expect(until).toBeGreaterThan(now);
        expect(until - now).toBeLessThanOrEqual(24 * 60 * MINUTE);
        expect(quietUntil(until, { quietFrom, quietTo })).toBeNull();
        const clock = new Date(until + 8 * 60 * MINUTE).toISOString().slice(11, 16);
        expect(clock).toBe(quietTo);
      }),
    );
  });
});

describe("judgeAlert", () => {
  const rule = { ...defaultRule, calmMinutes: 30, escalateMinutes: 15 };
  const fresh: AlertProgress = {
    isWaiting: true,
    isGiven: false,
    isNotified: false,
    isEscalated: false,
    lastNoticeMs: null,
  };
  const now = at("12:00");

  it.each<[string, AlertProgress, object, object]>([
    ["new", fresh, {}, { do: "TELL", step: "FIRST", nextMs: now + 15 * MINUTE }],
    ["new, without escalation", fresh, { escalateMinutes: null }, { do: "TELL", nextMs: null }],
    ["taken on already", { ...fresh, isWaiting: false }, {}, { do: "END" }],
    ["given at once", { ...fresh, isGiven: true }, {}, { do: "TOLD", nextMs: now + 15 * MINUTE }],
    [
      "given, and not taken on",
      { ...fresh, isGiven: true, isNotified: true },
      {},
      { do: "TELL", step: "ESCALATION" },
    ],
    ["switched off", fresh, { isOn: false }, { do: "END" }],
    [
      "told of a moment ago",
      { ...fresh, lastNoticeMs: now - 10 * MINUTE },
      {},
      { do: "WAIT", untilMs: now + 20 * MINUTE },
    ],
    ["told of long ago", { ...fresh, lastNoticeMs: now - 30 * MINUTE }, {}, { do: "TELL" }],
    ["repeats wanted", { ...fresh, lastNoticeMs: now }, { calmMinutes: 0 }, { do: "TELL" }],
    ["nobody took it on", { ...fresh, isNotified: true }, {}, { do: "TELL", step: "ESCALATION" }],
    ["escalated", { ...fresh, isNotified: true, isEscalated: true }, {}, { do: "END" }],
    ["no escalation", { ...fresh, isNotified: true }, { escalateMinutes: null }, { do: "END" }],
  ])("%s", (_, course, change, expected) => {
    expect(judgeAlert(course, { ...rule, ...change }, now)).toMatchObject(expected);
  });

  it("ends after at most one FIRST and one ESCALATION for any rule and history", () => {
    const rules = fc.record({
      calmMinutes: fc.integer({ min: 0, max: 1440 }),
      escalateMinutes: fc.option(fc.integer({ min: 1, max: 10_080 }), { nil: null }),
    });
    const past = fc.option(fc.integer({ min: 0, max: 2e6 }), { nil: null });
    fc.assert(
      fc.property(rules, past, fc.boolean(), (change, ago, isGiven) => {
        let course = { ...fresh, isGiven, lastNoticeMs: ago === null ? null : now - ago };
        let clock = now;
        const steps: string[] = [];
        for (let turn = 0; turn < 5; turn++) {
          const step = judgeAlert(course, { ...defaultRule, ...change }, clock);
          if (step.do === "END") break;
          if (step.do === "WAIT") {
            expect(step.untilMs).toBeGreaterThan(clock);
            clock = step.untilMs;
            continue;
          }
          const did = step.do === "TOLD" ? "FIRST" : step.step;
          steps.push(did);
          course =
            did === "FIRST" ? { ...course, isNotified: true } : { ...course, isEscalated: true };
          if (step.nextMs === null) break;
          expect(step.nextMs).toBeGreaterThan(clock);
          clock = step.nextMs;
        }
        expect(steps).toEqual(
          change.escalateMinutes === null ? ["FIRST"] : ["FIRST", "ESCALATION"],
        );
      }),
    );
  });
});

describe("ruleProblem", () => {
  const rule: RuleDraft = { ...defaultRule, recipientIds: [], escalationIds: [] };

  it.each<[Partial<RuleDraft>, string | null]>([
    [{}, null],
    [{ byConsole: false }, "通知方式"],
    [{ toCaretakers: false, toManager: false }, "接收人"],
    [{ toCaretakers: false, toManager: false, recipientIds: [1] }, null],
    [{ quietFrom: "22:00" }, "一起填写"],
    [{ quietFrom: "22:00", quietTo: "22:00" }, "不能相同"],
    [{ escalateMinutes: 10 }, "升级通知的账号"],
    [{ escalateMinutes: 10, escalationIds: [1] }, null],
    [{ isOn: false, byConsole: false, toCaretakers: false, toManager: false }, null],
  ])("%j", (change, problem) => {
    const found = ruleProblem({ ...rule, ...change }, "*");
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  });

  it("tenant-wide kinds need no recipients: accounts that may fix the setting are notified", () => {
    const nobody = { ...rule, toCaretakers: false, toManager: false };
    for (const kind of TENANT_KINDS) expect(ruleProblem(nobody, kind)).toBeNull();
  });
});

const noticeText = (...[message]: Parameters<typeof noticeFacts>) =>
  builtInText("MALFUNCTION", noticeFacts(message));

describe("notice text", () => {
  it.each(RULE_KINDS)("for %s names the place and costs one SMS segment", (kind) => {
    for (const step of ["FIRST", "ESCALATION", "TEST"] as const) {
      const place = "仓前小镇店 12 号柜 24 号格口";
      const text = signedText("", noticeText({ step, kind, place, detail: "" }));
      expect(text).toContain(place);
      expect(smsSegments(text)).toBe(1);
    }
  });

  it("for an outage says how much of the store is offline", () => {
    const detail = "门店断网或断电：6 台设备同时离线";
    expect(noticeText({ step: "FIRST", kind: "OFFLINE", place: "仓前店", detail })).toContain(
      "仓前店断网或断电：6 台设备同时离线，请",
    );
  });
});
