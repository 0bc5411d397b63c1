// Tests that nothing of OpenTelemetry is loaded while tracing is off, and the names of statements.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { statementSummary } from "./tracing.ts";

/** Imports the whole server in a process and prints the packages of the library that it has loaded, all CommonJS. */
const program = (start: string) => `
  import { createRequire } from "node:module";
  await import("./api.ts");
  await import("./gateway.ts");
  await import("./worker.ts");
  const { startTracing } = await import("./platform/tracing.ts");
  ${start}
  const files = Object.keys(createRequire(import.meta.url).cache);
  const names = files.map((file) => /@opentelemetry\\/([\\w-]+)/.exec(file)?.[1]);
  process.stdout.write(JSON.stringify([...new Set(names)].filter((name) => name && name !== "api")));
  process.exit(0);`;

const loadedBy = (start: string): string[] =>
  JSON.parse(
    execFileSync(process.execPath, ["--input-type=module-typescript", "-e", program(start)], {
      cwd: path.join(import.meta.dirname, ".."),
      encoding: "utf8",
    }),
  );

// prom-client, which is loaded always, has the API alone.
test("off: the server loads neither the SDK nor the exporter; on: both", () => {
  expect(loadedBy("")).toEqual([]);
  const settings = `{ endpoint: "http://127.0.0.1:9", headers: {}, ratio: 1 }`;
  expect(loadedBy(`await startTracing(${settings}, "test", { warn() {} });`)).toEqual(
    expect.arrayContaining(["exporter-trace-otlp-http", "sdk-trace"]),
  );
});

test.each([
  ["select id from cabinet where id = $1 for no key update of cabinet", "SELECT cabinet"],
  [
    "with command as (insert into command (id) values ($1) on conflict do nothing",
    "INSERT command",
  ],
  [
    "insert into tenant_use (a) values ($1) on conflict (a) do update set a = 1",
    "INSERT tenant_use",
  ],
  ["with target as (select 1 from command for update) update cabinet set x = $1", "UPDATE cabinet"],
  ["delete from session where token_hash = $1", "DELETE session"],
  ["select pg_notify($1, $2)", "SELECT pg_notify"],
])("statement %s: named %s", (text, name) => {
  expect(statementSummary(text)).toBe(name);
});
