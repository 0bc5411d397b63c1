// Checks with promtool that an alert of deploy/prometheus fires on metrics that real processes exported.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const rules = path.join(import.meta.dirname, "../../deploy/prometheus/alerts.yml");
const ruleText = readFileSync(rules, "utf8");

const INTERVAL_SECONDS = 15;
const SAMPLES_A_MINUTE = 4;
/** Longer than every alert waits. */
const [CALM_MINUTES, TROUBLE_MINUTES] = [15, 30];

export interface Sample {
  series: string;
  value: string;
}

/** Samples of one process's /metrics as Prometheus stores them; null: it did not answer. */
export function samplesOf(text: string | null, instance: string): Sample[] {
  const own = `job="smart-storage",instance="${instance}"`;
  const samples = (text ?? "").split("\n").flatMap((line) => {
    const [, name, labels = "", value = ""] =
      /^([a-z]\w*)(?:\{(.*)\})? (-?[\d.e+-]+)$/i.exec(line) ?? [];
    if (!name) return [];
    return { series: `${name}{${[labels, own].filter(Boolean).join(",")}}`, value };
  });
  return [{ series: `up{${own}}`, value: text === null ? "0" : "1" }, ...samples];
}

export interface Trouble {
  alert: string;
  before: readonly Sample[];
  during: readonly Sample[];
}

/** Throws with promtool's report unless each alert is silent before and fires while its trouble lasts. */
export function expectAlerts(troubles: readonly Trouble[]): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), "alert-drill-"));
  const tests = troubles.map(({ alert, before, during }) => {
    const known = during.filter(({ series }) => ruleText.includes(series.split("{")[0] ?? ""));
    const calm = new Map(before.map(({ series, value }) => [series, value]));
    const firing = `max_over_time(ALERTS{alertname="${alert}",alertstate="firing"}`;
    const hasFired = (minutes: number) => `(count(${firing}[${minutes}m])) or vector(0)) > bool 0`;
    return {
      name: alert,
      interval: `${INTERVAL_SECONDS}s`,
      input_series: known.map(({ series, value }) => ({
        series,
        // A series that begins with the trouble is missing before.
        values: `${calm.get(series) ?? "_"}x${CALM_MINUTES * SAMPLES_A_MINUTE} ${value}x${TROUBLE_MINUTES * SAMPLES_A_MINUTE}`,
      })),
      promql_expr_test: [
        { expr: hasFired(CALM_MINUTES - 1), eval_time: `${CALM_MINUTES}m`, value: 0 },
        {
          expr: hasFired(TROUBLE_MINUTES - 1),
          eval_time: `${CALM_MINUTES + TROUBLE_MINUTES}m`,
          value: 1,
        },
      ].map(({ value, ...each }) => ({ ...each, exp_samples: [{ labels: "{}", value }] })),
    };
  });
  try {
    const file = path.join(folder, "alerts.test.json");
    // YAML is a superset of JSON.
    writeFileSync(
      file,
      JSON.stringify({
        rule_files: [rules],
        evaluation_interval: `${INTERVAL_SECONDS}s`,
        tests,
      }),
    );
    execFileSync("promtool", ["test", "rules", file], { encoding: "utf8" });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}\n${stderr}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
