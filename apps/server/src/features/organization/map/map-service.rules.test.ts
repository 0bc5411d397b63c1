// Map proxy: forwards only the service's own paths, with the security code, to the service's own
// hosts.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isServiceMedia, serviceUrl } from "./map-service.rules.ts";

const CODE = "hush-hush";

describe("map service URL", () => {
  it.each([
    ["/v3/assistant/inputtips", "restapi.amap.com"],
    ["/v3/place/text", "restapi.amap.com"],
    ["/v3/geocode/regeo", "restapi.amap.com"],
    ["/v3/log/init", "restapi.amap.com"],
    ["/v4/map/styles", "webapi.amap.com"],
    ["/v3/vectormap", "fmap01.amap.com"],
  ])("%s goes to %s with the security code", (path, host) => {
    const url = serviceUrl(path, "keywords=%E5%BA%97&callback=jsonp_1_2_", CODE);
    expect(url).toMatchObject({ protocol: "https:", host, pathname: path });
    expect(url?.searchParams.get("jscode")).toBe(CODE);
    expect(url?.searchParams.get("keywords")).toBe("店");
  });

  it("drops a security code of the request", () => {
    const url = serviceUrl("/v3/place/text", "jscode=mine&jscode=yours", CODE);
    expect(url?.searchParams.getAll("jscode")).toEqual([CODE]);
  });

  it.each([
    "/",
    "/admin",
    "/v9/place",
    "/v3/",
    "/v3/../v3/place",
    "/v3/place/a.b",
    "/v3//place",
    "/v3/place/@evil.example",
    "/v3/a/b/c/d/e",
  ])("%s is not a path of the service", (path) => {
    expect(serviceUrl(path, "", CODE)).toBeNull();
  });

  it.each(["alert(1)", "a;b", "", "a-b", "x".repeat(65), "a.b"])(
    "an answer that would run %j is not asked for",
    (callback) => {
      const query = new URLSearchParams({ callback }).toString();
      expect(serviceUrl("/v3/place/text", query, CODE)).toBeNull();
    },
  );

  it("stays on the service's hosts for any input", () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        const url = serviceUrl(path, query, CODE);
        if (url) expect(url.origin).toMatch(/^https:\/\/(restapi|webapi|fmap01)\.amap\.com$/);
      }),
    );
  });
});

it("map service: passes data and scripts, not pages", () => {
  for (const type of ["application/json;charset=UTF-8", "text/javascript", "image/png"]) {
    expect(isServiceMedia(type)).toBe(true);
  }
  for (const type of [null, "", "text/html", "image/svg+xml", "application/xhtml+xml"]) {
    expect(isServiceMedia(type)).toBe(false);
  }
});
