// Tests the recognition of external links (specification §5).
import { describe, expect, it } from "vitest";
import { isExternalLink } from "./external-link.rules.ts";

describe("specification §5, external link", () => {
  it.each(["http://a.cn", "https://a.cn/b?c=d", "mailto:a@b.cn", "tel:4008000000"])(
    "%s leaves the console",
    (link) => {
      expect(isExternalLink(link)).toBe(true);
    },
  );

  it.each([
    "/cupboard/index",
    "https",
    "//a.cn",
    "ftp://a.cn",
    " https://a.cn",
    "javascript:alert(1)",
  ])("%j stays", (link) => {
    expect(isExternalLink(link)).toBe(false);
  });
});
