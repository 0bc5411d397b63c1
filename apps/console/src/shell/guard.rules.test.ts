// Route guard: who may open which path.
import { describe, expect, it } from "vitest";
import {
  type Entry,
  redirectOf,
  redirectTarget,
  squeezedPath,
  targetOf,
  unknownTarget,
} from "./guard.rules.ts";

const go = (path: string, entry: Entry, search = "", canonical: string | null = path) =>
  redirectOf({ path, search }, entry, canonical);

describe("§2 route guard: without a token", () => {
  it.each(["/login", "/doc/sre", "/doc/sdk"])("%s is reachable", (path) => {
    expect(go(path, "signed-out")).toBeNull();
  });

  it.each(["/doc/api", "/cupboard/index", "/nowhere", "/404", "/largeScreen", "/doc/sre/more"])(
    "%s leads to /login, which remembers the path",
    (path) => {
      expect(go(path, "signed-out")).toBe(`/login?redirect=${encodeURIComponent(path)}`);
    },
  );

  it("remembers a page's filters, and nothing for home", () => {
    expect(go("/cupboard/index", "signed-out", "?page=2")).toBe(
      "/login?redirect=%2Fcupboard%2Findex%3Fpage%3D2",
    );
    expect(go("/", "signed-out")).toBe("/login");
    expect(go("/dashboard", "signed-out")).toBe("/login");
  });

  it("opens nothing else before a due password change", () => {
    expect(go("/login", "step-due")).toBeNull();
    expect(go("/dashboard", "step-due")).toBe("/login");
  });
});

describe("§2 route guard: with a token", () => {
  it("stays on known paths", () => {
    expect(go("/cupboard/index", "signed-in")).toBeNull();
    expect(go("/404", "signed-in")).toBeNull();
  });

  it.each(["/register/index/", "/REGISTER/index", "/Register/Index//"])(
    "%s leads to the path of the route table, with its query",
    (path) => {
      expect(go(path, "signed-in", "?page=2", "/register/index")).toBe("/register/index?page=2");
      expect(redirectOf({ path, search: "", hash: "#a" }, "signed-in", "/register/index")).toBe(
        "/register/index#a",
      );
    },
  );

  it("public documents match case-insensitively and lead to their canonical path", () => {
    expect(go("/DOC/sdk/", "signed-out", "", "/doc/sdk")).toBe("/doc/sdk");
    expect(go("/LOGIN", "signed-out", "?redirect=%2Fset%2Frole", "/login")).toBe(
      "/login?redirect=%2Fset%2Frole",
    );
  });

  it("unknown paths lead to /, doubled slashes to single ones", () => {
    expect(unknownTarget({ path: "/nowhere", search: "?a=1" })).toBe("/");
    expect(unknownTarget({ path: "/register//index", search: "?a=1" })).toBe("/register/index?a=1");
    expect(squeezedPath("//evil.example//x/")).toBe("/evil.example/x/");
  });

  it("leads from /login to the remembered target", () => {
    expect(go("/login", "signed-in")).toBe("/");
    expect(go("/login", "signed-in", "?redirect=%2Fcupboard%2Findex%3Fpage%3D2")).toBe(
      "/cupboard/index?page=2",
    );
  });

  it.each(["//evil.example", "https://evil.example", "/\\evil.example", "javascript:1", "/\t/e"])(
    "never follows %j to another site",
    (target) => {
      expect(targetOf(`?redirect=${encodeURIComponent(target)}`)).toBe("/");
    },
  );
});

describe("§2 route table: /redirect", () => {
  it("leads back to the page", () => {
    expect(redirectTarget("/redirect/cupboard/index")).toBe("/cupboard/index");
    expect(redirectTarget("/redirect//evil.example")).toBe("/evil.example");
    expect(redirectTarget("/redirect")).toBe("/");
  });
});
