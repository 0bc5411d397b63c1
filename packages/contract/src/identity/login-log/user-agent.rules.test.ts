// Tests the device name derived from User-Agent headers.
import { describe, expect, it } from "vitest";
import { maskUnknownAccount } from "./login-log.rules.ts";
import { deviceOf } from "./user-agent.rules.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

describe("deviceOf", () => {
  it.each([
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36`,
      "Chrome 141 · Windows",
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
      "Edge 141 · Windows",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0",
      "Firefox 143 · macOS",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
      "Safari 18 · macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
      "Safari 18 · iPhone",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.60 NetType/WIFI",
      "微信 8 · iPhone",
    ],
    [
      `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36`,
      "Chrome 141 · Android",
    ],
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/141.0.0.0 Safari/537.36`,
      "Chrome 141 · Linux",
    ],
    ["curl/8.5.0", "curl 8"],
    ["", "未知设备"],
    [null, "未知设备"],
    ["something/1", "未知设备"],
  ])("%s", (header, words) => {
    expect(deviceOf(header)).toBe(words);
  });
});

it("maskUnknownAccount reveals no typed password", () => {
  expect(maskUnknownAccount("hunter2hunter2")).toBe("h***");
  expect(maskUnknownAccount(" 李伟")).toBe("李***");
  expect(maskUnknownAccount("")).toBe("***");
});
