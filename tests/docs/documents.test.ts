// Documents agree with the product: settings, metrics, calls, refusals, events, links.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import {
  MALFUNCTION_EVENTS,
  OPENING_EVENTS,
  ORDER_EVENTS,
  SENT_EVENTS,
  TEST_EVENT,
  WEBHOOK_API_VERSION,
  WEBHOOK_EVENTS,
} from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { openApiContract } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import {
  cabinetRefusalText,
  OPEN_SCOPES,
} from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import {
  openErrors,
  openErrorsEnglish,
  openStatus,
} from "@cabinet/contract/partners/open-api/open-error.rules.ts";
import { ORDER_STATES } from "@cabinet/contract/vocabulary/order.rules.ts";
import { webhookBodySchema } from "@cabinet/contract/webhook-events.ts";
import { LINK_VERSION } from "@cabinet/link";
import { SCHEME } from "@cabinet/open-api-client";
import { describe, expect, it } from "vitest";
import { callOpen, makeOpenApp } from "../support/open-apps.ts";
import { useTestServer } from "../support/test-server.ts";
import { chapter, namesOf, readDocument, root, rowsOf, sampleOf } from "./documents.ts";

const testServer = useTestServer();
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

describe("sre documents", () => {
  it("settings: every one with its default, as in .env.example", () => {
    const known = [...read(".env.example").matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(
      ([, name, value]) => [name, value],
    );
    const documented = rowsOf(chapter("sre", "05-settings.md"))
      .slice(1)
      .map(([name = "", value = ""]) => [name, value].map((cell) => cell.replaceAll("`", "")));
    expect(documented.sort()).toEqual(known.sort());
  });

  const metricsOf = async () => {
    const { body } = await testServer.app.inject({ url: "/metrics" });
    return new Map(
      [...body.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
    );
  };

  it("metrics: each exists with the documented type, and every own metric is documented", async () => {
    const metrics = await metricsOf();
    const kinds: Record<string, string> = { histogram: "直方图", counter: "计数", gauge: "计量" };
    const table = chapter("sre", "08-alarms.md").split("## 指标")[1]?.split("## ")[0] ?? "";
    const documented = new Map(
      rowsOf(table)
        .slice(1)
        .map(([name = "", kind = ""]) => [name.replaceAll("`", ""), kind]),
    );
    for (const [name, kind] of documented) expect(kinds[metrics.get(name) ?? ""], name).toBe(kind);
    const own = [...metrics.keys()].filter((name) => !/^(process|nodejs)_/.test(name));
    expect(own.filter((name) => !documented.has(name))).toEqual([]);
  });

  it("alert rules: use existing metrics only", async () => {
    const metrics = await metricsOf();
    const rules = read("deploy/prometheus/alerts.yml");
    const names = [...rules.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)(?=[\s{[)>])/g)]
      .map(([, name = ""]) => name.replace(/_(bucket|count|sum)$/, ""))
      .filter((name) => name !== "histogram_quantile");
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) expect(metrics.has(name), name).toBe(true);
  });

  it("alerts: each has a documented first step and a test", () => {
    const alarms = [...read("deploy/prometheus/alerts.yml").matchAll(/alert: (\S+)/g)].map(
      ([, name]) => name,
    );
    expect(new Set(alarms).size).toBe(alarms.length);
    const table =
      chapter("sre", "08-alarms.md").split("## 哪些要叫醒人")[1]?.split("\n## ")[0] ?? "";
    const documented = rowsOf(table).slice(1);
    expect(documented.map(([name = ""]) => name).sort()).toEqual([...alarms].sort());
    const tried = read("deploy/prometheus/alerts.test.yml").matchAll(/alertname: ([^\s,]+)/g);
    expect([...new Set([...tried].map(([, name]) => name))].sort()).toEqual([...alarms].sort());
  });

  it("files of deploy/: printed verbatim", () => {
    for (const [file, printed] of [
      ["systemd/smart-storage.service", "02-single.md"],
      ["caddy/Caddyfile", "04-proxy.md"],
      ["nginx/smart-storage.conf", "04-proxy.md"],
      ["nginx/cabinets.conf", "04-proxy.md"],
    ] as const) {
      const sample = sampleOf(chapter("sre", printed), path.basename(file));
      expect(sample, file).toBe(read(`deploy/${file}`));
    }
  });

  it("commands and file paths: all exist", () => {
    const scripts = Object.keys(JSON.parse(read("package.json")).scripts);
    const texts = (["sre", "sdk", "sdk/en"] as const).flatMap((name) => [...readDocument(name)]);
    for (const [file, text] of texts) {
      for (const [, name = ""] of text.matchAll(/npm run (?:--silent )?([a-z:]+)/g)) {
        expect(scripts, `${file}: npm run ${name}`).toContain(name);
      }
      for (const [command, name, action = ""] of text.matchAll(
        /\.\/storage ([a-z]+)(?: ([a-z]+)\b)?/g,
      )) {
        const usage = new RegExp(`^ {2}\\./storage ${name}\\b.*${action}`, "m");
        expect(read("scripts/storage.sh"), `${file}: ${command}`).toMatch(usage);
      }
      for (const [, name = ""] of text.matchAll(/`((?:deploy|packages|apps)\/[\w./-]+)`/g)) {
        expect(existsSync(path.join(root, name)), `${file}: ${name}`).toBe(true);
      }
    }
  });
});

describe("sdk documents", () => {
  const calls = chapter("sdk", "03-open-api-calls.md");

  it("calls: every one with its permission", () => {
    const documented = rowsOf(calls.split("## 调用一览")[1]?.split("## ")[0] ?? "")
      .slice(1)
      .map(([call = "", scope = ""]) => [call, scope].map((cell) => cell.replaceAll("`", "")));
    const known = Object.values(openApiContract).map((spec) => [
      `${spec.method} ${urlPath(spec)}`,
      "scope" in spec ? spec.scope : "无",
    ]);
    expect(documented.sort()).toEqual(known.sort());
  });

  it.each([
    ["sdk", "错误", openErrors],
    ["sdk/en", "Errors", openErrorsEnglish],
  ] as const)("refusals of %s: every one with its status and advice", (folder, title, texts) => {
    const text = chapter(folder, "03-open-api-calls.md");
    const documented = rowsOf(text.split(`## ${title}\n`)[1]?.split("## ")[0] ?? "").slice(1);
    const known = Object.entries(texts).map(([code, advice]) => [
      String(openStatus(code as keyof typeof openErrors)),
      `\`${code}\``,
      advice,
    ]);
    expect(documented.sort()).toEqual(known.sort());
  });

  it("order states, permissions and events: complete", () => {
    const part = (title: string) => calls.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
    expect(namesOf(part("订单状态")).sort()).toEqual([...ORDER_STATES].sort());
    expect(namesOf(part("权限")).sort()).toEqual([...OPEN_SCOPES].sort());
    const events =
      chapter("sdk", "04-callbacks.md").split("## 事件类型")[1]?.split("\n## ")[0] ?? "";
    expect(namesOf(events).sort()).toEqual([...WEBHOOK_EVENTS, TEST_EVENT].sort());
  });

  it("events: every field of each", () => {
    const text = chapter("sdk", "04-callbacks.md");
    const groups = {
      订单事件: ORDER_EVENTS,
      开门事件: OPENING_EVENTS,
      测试事件: [TEST_EVENT],
      故障事件: MALFUNCTION_EVENTS,
      操作审计校验码: ["audit.sealed"],
    } as const;
    expect(Object.values(groups).flat().sort()).toEqual([...SENT_EVENTS].sort());
    for (const [title, events] of Object.entries(groups)) {
      const table = text.split(`## ${title}的 \`data\`\n`)[1]?.split("\n## ")[0] ?? "";
      const known = events.map((type) =>
        Object.keys(webhookBodySchema(type).properties.data.properties),
      );
      expect(namesOf(table).sort(), title).toEqual([...new Set(known.flat())].sort());
      for (const [names = "", meaning = ""] of rowsOf(table).slice(1)) {
        const only = events.filter((type) => meaning.includes(`\`${type}\``));
        for (const name of namesOf(`| ${names} |`)) {
          const carrying = events.filter((_, at) => known[at]?.includes(name));
          expect(only.length > 0 ? only : events, name).toEqual(carrying);
        }
      }
    }
  });

  it("versions: those of the code", () => {
    const [table = ""] = chapter("sdk", "09-versions.md").split("## 同一版本");
    const named = [...table.matchAll(/`([^`]+)`/g)].map(([, code]) => code);
    const known = ["/open/v1", SCHEME, WEBHOOK_API_VERSION, "c1", String(LINK_VERSION)];
    expect(named).toEqual(expect.arrayContaining(known));
  });

  it("limits: those of the API; reasons of cabinets: complete", async () => {
    const part = (title: string) => calls.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
    const { id } = await testServer.makeTenant();
    const app = await makeOpenApp(testServer, { tenantId: id });
    const { data } = await callOpen(testServer, app, openApiContract.whoAmI);
    const documented = rowsOf(part("限额与有效期"))
      .slice(1)
      .map(([name = "", value = ""]) => [name.replaceAll("`", ""), Number(value)]);
    expect(documented).toEqual(Object.entries(data.limits));
    const reasons = rowsOf(part("不能存件的原因"))
      .slice(1)
      .map(([code = "", text]) => [code.replaceAll("`", ""), text]);
    expect(reasons).toEqual(Object.entries(cabinetRefusalText));
  });

  it("vectors: every link leads to a file", () => {
    const folders: Record<string, string> = {
      "open-api": "packages/open-api-client/vectors",
      "cabinet-link": "packages/cabinet-link/vectors",
    };
    const links = [
      ...chapter("sdk", "07-vectors.md").matchAll(/\(\/vectors\/([\w-]+)\/([\w.-]+)\)/g),
    ];
    expect(links.length).toBeGreaterThan(6);
    for (const [, folder = "", file = ""] of links) {
      expect(existsSync(path.join(root, folders[folder] ?? "", file)), file).toBe(true);
    }
  });
});
