// Grafana dashboard and alert rules: every expression is valid PromQL over metrics and labels that a server exports.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { registry } from "../apps/server/src/platform/metrics.ts";
import { readQuery } from "./support/promql.ts";
import { useTestServer } from "./support/test-server.ts";
import { typeErrorsOf } from "./support/typed-literal.ts";

const testServer = useTestServer();
const root = path.join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
}
const board: {
  panels: Panel[];
  templating: { list: { name: string; definition?: string }[] };
  annotations: { list: { expr: string }[] };
} = JSON.parse(read("deploy/grafana/smart-storage.json"));
const alerts: { groups: { rules: { alert: string; expr: string }[] }[] } = parse(
  read("deploy/prometheus/alerts.yml"),
);

/** Added by Prometheus while it scrapes. */
const SCRAPED = ["job", "instance"];

/** Labels by name of series, from the metrics that the running server exports. */
async function exported(): Promise<Map<string, string[]>> {
  const { body } = await testServer.app.inject({ url: "/metrics" });
  const series = new Map<string, string[]>([["up", SCRAPED]]);
  for (const [, name = "", type] of body.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
    const { labelNames = [] } = (registry.getSingleMetric(name) ?? {}) as { labelNames?: string[] };
    const labels = [...labelNames, ...SCRAPED];
    if (type !== "histogram") series.set(name, labels);
    else {
      series.set(`${name}_bucket`, [...labels, "le"]);
      series.set(`${name}_sum`, labels).set(`${name}_count`, labels);
    }
  }
  return series;
}

function problemsOf(expression: string, series: Map<string, string[]>): string[] {
  // Grafana replaces its variables before it asks Prometheus.
  const replaced = expression.replaceAll("$__rate_interval", "5m").replace(/\$\w+/g, ".*");
  const { errors, selections, grouping } = readQuery(replaced);
  if (errors.length > 0) return [`no PromQL: ${errors.join(" | ")}`];
  const known = selections.flatMap(({ metric }) => series.get(metric) ?? []);
  return [
    ...selections.flatMap(({ metric, labels }) => {
      const own = series.get(metric);
      if (!own) return [`no metric ${metric}`];
      return labels.filter((label) => !own.includes(label)).map((each) => `${metric}: no ${each}`);
    }),
    ...grouping.filter((label) => !known.includes(label)).map((label) => `no label ${label}`),
  ];
}

const targets = board.panels.flatMap(({ title, targets = [] }) =>
  targets.map((target) => ({ title, ...target })),
);

test("dashboard: every expression selects metrics and labels that the server exports", async () => {
  const series = await exported();
  expect(targets.length).toBeGreaterThan(40);
  const expressions = [...targets, ...board.annotations.list].map(({ expr }) => expr);
  const problems = expressions.flatMap((expr) =>
    problemsOf(expr, series).map((problem) => `${expr}: ${problem}`),
  );
  expect(problems).toEqual([]);
});

test("alerts: every expression selects metrics and labels that the server exports", async () => {
  const series = await exported();
  const problems = alerts.groups
    .flatMap(({ rules }) => rules)
    .flatMap(({ alert, expr }) => problemsOf(expr, series).map((each) => `${alert}: ${each}`));
  expect(problems).toEqual([]);
});

test("dashboard: shows every own metric", async () => {
  const { body } = await testServer.app.inject({ url: "/metrics" });
  const own = [...body.matchAll(/^# TYPE (\S+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => !/^(process|nodejs)_/.test(name));
  const shown = targets
    .flatMap(({ expr }) => readQuery(expr.replaceAll("$__rate_interval", "5m")).selections)
    .map(({ metric }) => metric.replace(/_(bucket|sum|count)$/, ""));
  expect(own.filter((name) => !shown.includes(name))).toEqual([]);
});

test("dashboard: legends, variables and places are right", () => {
  const variables = board.templating.list.map(({ name }) => name);
  for (const { expr, legendFormat } of targets) {
    const { grouping, selections } = readQuery(expr.replaceAll("$__rate_interval", "5m"));
    const labels = [...grouping, ...selections.flatMap((each) => each.labels)];
    for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
      expect(labels, expr).toContain(label);
    }
    for (const [, name = ""] of expr.matchAll(/\$(\w+)/g)) {
      if (!name.startsWith("__")) expect(variables).toContain(name);
    }
  }
  const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, place) => `${x + (place % w)},${y + Math.floor(place / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(board.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
});

test("dashboard: is one by the types of Grafana", () => {
  expect(typeErrorsOf(board, "grafana")).toEqual([]);
});

test.each([
  [
    "a misspelt option of a panel",
    { type: "stat", options: { colourMode: "value" } },
    "colourMode",
  ],
  ["a value that an option does not have", { type: "stat", options: { colorMode: "red" } }, "red"],
  ["a panel of another kind", { type: "graph", options: {} }, "graph"],
])("check: %s is reported", (_, panel, problem) => {
  const panels = [{ targets: [], fieldConfig: { defaults: {}, overrides: [] }, ...panel }];
  expect(typeErrorsOf({ panels }, "grafana").join()).toContain(problem);
});

test.each([
  ["sum(rate(opens_total[5m])", "no PromQL"],
  ["sum(opens)", "no metric opens"],
  ['opens_total{cabinet="1"}', "opens_total: no cabinet"],
  ["sum by (cabinet) (opens_total)", "no label cabinet"],
])("check: %s is reported", async (expression, problem) => {
  expect(problemsOf(expression, await exported()).join()).toContain(problem);
});
