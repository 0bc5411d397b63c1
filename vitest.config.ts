// Test projects: pure unit tests, integration tests on real PostgreSQL and broker, catalogue and e2e in Chromium.
import { defineConfig } from "vitest/config";

const integration = [
  "apps/server/**/*.test.ts",
  "apps/simulator/**/*.test.ts",
  "tests/**/*.test.ts",
];
const pure = [
  "**/*.rules.test.ts",
  "apps/server/src/platform/{env,log,db/sql-aliases,http/validation}.test.ts",
];
/**
 * As many as the cores that CI has: a test keeps a server, a database or a browser busy. With one more, the servers of
 * journeys refused calls as overloaded now and then.
 */
const WORKERS = 2;
/** Integration tests wait a third of their time for cabinets, brokers and child processes; a group has one number. */
const FIRST_GROUP_WORKERS = 3;
const isDeep = process.env.DEEP === "on";
/** Tests that build images and start whole sites. */
const deepOnly = ["**/*.deep.test.ts"];
const ignored = ["**/node_modules/**", "**/dist/**"];

export default defineConfig({
  test: {
    // One module graph per worker instead of one per file: loading the server takes longer than most
    // test files.
    isolate: false,
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/**/*.test.ts", "apps/{console,pickup}/**/*.test.{ts,tsx}", ...pure],
          exclude: ignored,
          // Properties are bound by CPU: five seconds are too short on a busy machine.
          testTimeout: 60_000,
          maxWorkers: FIRST_GROUP_WORKERS,
        },
      },
      {
        test: {
          name: "integration",
          include: integration,
          exclude: [...ignored, ...pure, ...(isDeep ? [] : deepOnly)],
          globalSetup: ["tests/support/postgres.setup.ts"],
          // On a busy machine everything takes longer; only failures wait this long.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 30_000 } },
          maxWorkers: FIRST_GROUP_WORKERS,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude: [...ignored, "e2e/parts/**"],
          globalSetup: ["e2e/support/demo.setup.ts"],
          testTimeout: 600_000,
          // Waits for the demo, which is created once per run.
          hookTimeout: 700_000,
          expect: { poll: { timeout: 60_000 } },
          maxWorkers: WORKERS,
          // Runs after the other projects: a browser in parallel would slow tests with timeouts.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          // Projects run in the order of their names: the longest file must not be the last one.
          name: "catalogue",
          include: ["e2e/parts/**/*.test.ts"],
          globalSetup: ["e2e/support/catalogue.setup.ts"],
          testTimeout: 600_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 60_000 } },
          maxWorkers: WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
