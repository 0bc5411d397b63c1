// Tests targets of menu entries: pages, buttons on pages, external links.
import { describe, expect, it } from "vitest";
import {
  canHoldLink,
  hasMenuTarget,
  isExternalTarget,
  MENU_ICON_PATTERN,
  MENU_URI_PATTERN,
} from "./menu.rules.ts";
import { type MenuSeed, menuSeed } from "./menu-seed.rules.ts";

const menu = (uri: string) => ({ kind: "MENU" as const, uri });
const button = (uri: string) => ({ kind: "BUTTON" as const, uri });
const flat = (entries: readonly MenuSeed[]): MenuSeed[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.children)]);
const isUri = (text: string) => new RegExp(MENU_URI_PATTERN).test(text);
const isIcon = (text: string) => new RegExp(MENU_ICON_PATTERN).test(text);

describe("menu entries", () => {
  it("targets: every seeded entry has one", () => {
    for (const entry of flat(menuSeed)) {
      expect(hasMenuTarget(entry), entry.uri).toBe(true);
      expect(isUri(entry.uri), entry.uri).toBe(true);
      expect(isIcon(entry.icon), entry.icon).toBe(true);
    }
  });

  it("targets: refuses paths without a page, hidden pages and buttons on nothing", () => {
    for (const uri of ["/nowhere", "/cupboard/index/", "/cupboard/cupboardEdit", "/"]) {
      expect(hasMenuTarget(menu(uri)), uri).toBe(false);
    }
    expect(hasMenuTarget(menu("/cupboard/index:open"))).toBe(false);
    expect(hasMenuTarget(button("/cupboard/index:anything"))).toBe(true);
    for (const uri of ["/cupboard/index", "/nowhere:open", "https://a.example/x"]) {
      expect(hasMenuTarget(button(uri)), uri).toBe(false);
    }
  });

  it("external links: absolute http and https addresses, mail and telephone, in either case", () => {
    const good = [
      "https://a.example",
      "http://10.0.0.8:8080/x?y=1&z=%20#top",
      "https://例子.cn/帮助",
      "HTTPS://a.example/x",
      "mailto:help@a.example?subject=x",
      "tel:+86-571-88886666",
      "TEL:95598",
    ];
    for (const uri of good) {
      expect(isUri(uri), uri).toBe(true);
      expect(isExternalTarget(menu(uri)), uri).toBe(true);
      expect(URL.canParse(uri), uri).toBe(true);
    }
    const bad = `javascript:alert(1) JAVASCRIPT:alert(1) data:text/html,x //a.example https:// https:/a mailto: mailto:a tel: tel:abc
      ftp://a.example https://user:pw@a.example https://a.example/"x https://a.example\\x https:///x`;
    for (const uri of bad.split(/\s+/)) expect(isUri(uri), uri).toBe(false);
    for (const uri of ["https://a.example/a b", "https://a.example\njavascript:x"]) {
      expect(isUri(uri), uri).toBe(false);
    }
  });

  it("external links: at the top or in a group", () => {
    expect(canHoldLink(null)).toBe(true);
    expect(canHoldLink("/cupboard")).toBe(true);
    expect(canHoldLink("/cupboard/index")).toBe(false);
    expect(canHoldLink("https://a.example")).toBe(false);
  });

  it("icons: names, paths of this server, images inside the text", () => {
    for (const icon of ["", "home", "/favicon.svg", "data:image/svg+xml,%3Csvg%3E"]) {
      expect(isIcon(icon), icon).toBe(true);
    }
    for (const icon of [
      "https://a.example/i.svg",
      "//a.example/i.svg",
      "data:text/html,x",
      "a b",
    ]) {
      expect(isIcon(icon), icon).toBe(false);
    }
  });
});
