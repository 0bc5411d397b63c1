// Tests promise L1: secrets and phone numbers never reach a log.
import { maskPhones } from "@cabinet/contract/kit/phone.rules.ts";
import { expect, test, vi } from "vitest";
import { NoConnection } from "./db/postgres-client.ts";
import { createLog } from "./log.ts";

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog("info", { destination: { write: (line) => lines.push(line) } }));
  return lines.join("");
}

test.each([
  ["13812345678", "138****5678"],
  ["+8613812345678", "+86138****5678"],
  ['{"phone":"19900001111"}', '{"phone":"199****1111"}'],
  ["order 202611211200001", "order 202611211200001"],
  ["id 1381234567", "id 1381234567"],
])("log masking: %s is written as %s", (line, masked) => {
  expect(maskPhones(line)).toBe(masked);
});

test("log masking: phones are masked in message, field and error", () => {
  const text = logged((log) => {
    log.info({ user: { phone: "13812345678" } }, "code sent to 13912345678");
    log.error({ err: new Error("no such user 13712345678") }, "failed");
  });
  expect(text).toContain("138****5678");
  expect(text).not.toMatch(/(?<!\d)1[3-9]\d{9}(?!\d)/);
});

test("log masking: passwords, tokens and secrets are hidden", () => {
  const text = logged((log) => {
    log.info({ password: "hush-1", token: "hush-2", body: { secret: "hush-3" } }, "signed in");
  });
  expect(text).not.toContain("hush");
  expect(text).toContain("[已隐藏]");
});

test("log: text of a caller begins no line of its own", () => {
  const text = logged((log) => log.info({ name: 'x"\r\n{"level":60}' }, "sent by\na caller"));
  expect(text.trim().split(/[\r\n]/)).toHaveLength(1);
  expect(JSON.parse(text)).toMatchObject({ msg: "sent by\na caller", name: 'x"\r\n{"level":60}' });
});

test("log: a database outage is a one-line warning without a stack", () => {
  const lines = logged((log) => {
    log
      .child({ requestId: "r-1" })
      .error({ err: new NoConnection("gone"), sn: "A1" }, "not stored");
    log.error({ err: new Error("a bug") }, "not stored");
  });
  const [outage, bug] = lines.split("\n");
  expect(JSON.parse(outage ?? "")).toMatchObject({
    level: 40,
    requestId: "r-1",
    sn: "A1",
    why: "gone",
  });
  expect(outage).not.toContain("stack");
  expect(JSON.parse(bug ?? "")).toMatchObject({ level: 50, err: { stack: expect.any(String) } });
});

test("log: an outage writes one line a second for each message and cause, with the number of the others", () => {
  vi.useFakeTimers();
  const lines = logged((log) => {
    for (let report = 0; report < 50; report++) {
      const sn = `A${report}`;
      log.warn({ err: new NoConnection("gone"), sn }, "report not stored");
    }
    log.warn({ err: new NoConnection("gone") }, "job not done");
    log.warn({ err: new NoConnection("silent") }, "report not stored");
    for (let bug = 0; bug < 3; bug++) log.error({ err: new Error("a bug") }, "failed");
    vi.advanceTimersByTime(1_000);
    log.warn({ err: new NoConnection("gone"), sn: "B1" }, "report not stored");
    vi.advanceTimersByTime(2_000);
    log.warn({ err: new NoConnection("gone"), sn: "C1" }, "report not stored");
  });
  vi.useRealTimers();
  const written = lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(written.map(({ msg, why, sn, repeated }) => [msg, why, sn, repeated])).toEqual([
    ["report not stored", "gone", "A0", undefined],
    ["job not done", "gone", undefined, undefined],
    ["report not stored", "silent", undefined, undefined],
    ...Array.from({ length: 3 }, () => ["failed", undefined, undefined, undefined]),
    ["report not stored", "gone", "A49", 49],
    ["report not stored", "gone", "B1", 1],
    ["report not stored", "gone", "C1", undefined],
  ]);
});

test("log: lines for systemd's journal begin with their priority, others with their object", () => {
  const write = (log: ReturnType<typeof createLog>) => {
    for (const level of ["debug", "info", "warn", "error", "fatal"] as const) log[level](level);
  };
  const linesOf = (isJournal: boolean) => {
    const lines: string[] = [];
    write(createLog("debug", { destination: { write: (line) => lines.push(line) }, isJournal }));
    return lines.map((line) => line.slice(0, 4));
  };
  expect(linesOf(true)).toEqual(["<7>{", "<6>{", "<4>{", "<3>{", "<2>{"]);
  expect(new Set(linesOf(false))).toEqual(new Set(['{"le']));
});
