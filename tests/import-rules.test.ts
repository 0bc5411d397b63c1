// Checks the checker of the import rules: a planted violation of each rule must be found.
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";

const root = path.join(import.meta.dirname, "..");
const { default: law, domains } = await import(path.join(root, ".dependency-cruiser.mjs"));

/** By rule: a file and the import in it that breaks the rule. */
const planted: Record<string, [file: string, imports: string]> = {
  "no-cycles": ["packages/contract/src/kit/one.ts", "./two.ts"],
  "contract-kit-imports-no-domain": [
    "packages/contract/src/vocabulary/hardware.ts",
    "../orders/order/order.rules.ts",
  ],
  "contract-imports-typebox-only": ["packages/contract/src/kit/clock.ts", "node:fs"],
  "link-is-independent": ["packages/cabinet-link/src/link.ts", "../../contract/src/kit/two.ts"],
  "client-is-independent": [
    "packages/open-api-client/src/client.ts",
    "../../contract/src/kit/two.ts",
  ],
  "no-server-in-console": ["apps/console/src/main.ts", "../../server/src/api.ts"],
  "no-console-in-server": ["apps/server/src/api.ts", "../../console/src/ui/table.ts"],
  "no-server-in-simulator": ["apps/simulator/src/main.ts", "../../server/src/leaf.ts"],
  "pickup-imports-contract-only": ["apps/pickup/src/app.ts", "../../console/src/ui/table.ts"],
  "pickup-loads-no-schemas": [
    "apps/pickup/src/api.ts",
    "../../../packages/contract/src/orders/order/order.contract.ts",
  ],
  "rules-are-pure": ["apps/server/src/features/orders/order/order.rules.ts", "node:crypto"],
  "database-only-in-sql-files": [
    "apps/server/src/features/orders/order/order.service.ts",
    "../../../platform/db/sql.ts",
  ],
  "queue-only-in-jobs-files": [
    "apps/server/src/features/orders/order/order.rows.ts",
    "graphile-worker",
  ],
  "mqtt-only-in-device-files": ["apps/server/src/features/orders/order/order.door.ts", "mqtt"],
  "only-routes-mount": [
    "apps/server/src/features/orders/order/order.calls.ts",
    "../../../platform/http/mount.ts",
  ],
  "demo-on-demand-only": ["apps/server/src/main.ts", "./demo/index.ts"],
  "platform-imports-no-feature": [
    "apps/server/src/platform/db.ts",
    "../features/orders/order/index.ts",
  ],
  "features-by-index-only": [
    "apps/server/src/features/orders/order/order.near.ts",
    "../../money/wallet/wallet.sql.ts",
  ],
  "processes-by-index-only": ["apps/server/src/worker.ts", "./features/money/wallet/wallet.sql.ts"],
  "ui-imports-no-noun": [
    "apps/console/src/ui/badge.ts",
    "../../../../packages/contract/src/orders/order/order.rules.ts",
  ],
  "domain-imports-no-feature": [
    "apps/console/src/domain/badge.ts",
    "../features/orders/order/order.ts",
  ],
  "catalogue-imports-no-feature": [
    "apps/console/catalogue/parts.ts",
    "../src/features/orders/order/order.ts",
  ],
  "no-catalogue-in-console": ["apps/console/src/app.ts", "../catalogue/sample.ts"],
  "ui-imports-no-feature": ["apps/console/src/ui/list.ts", "../features/orders/order/order.ts"],
  "kit-imports-nothing-above": ["apps/console/src/kit/api.ts", "../ui/table.ts"],
  "console-has-one-button": ["apps/console/src/ui/form.ts", "antd/es/button"],
  "console-dialogs-from-overlays": ["apps/console/src/ui/question.ts", "antd/es/modal"],
  "features-import-no-shell": [
    "apps/console/src/features/orders/order/order-list.ts",
    "../../../shell/sidebar.ts",
  ],
  "console-features-by-index-only": [
    "apps/console/src/features/orders/order/order-form.ts",
    "../../money/wallet/wallet.ts",
  ],
};

/** Rules that allow types. */
const valuesOnly = ["pickup-loads-no-schemas", "console-dialogs-from-overlays"];

/** Roots of the domains' folders; each rule is planted in one of them, in turn. */
const domainRoots = [
  "apps/server/src/features",
  "packages/contract/src",
  "apps/console/src/features",
];

// The lower of two neighbouring domains imports the index of a noun in the upper one.
for (const [place, domain] of domains.slice(0, -1).entries()) {
  planted[`${domain}-imports-no-domain-above`] = [
    `${domainRoots[place % domainRoots.length]}/${domain}/planted/planted.service.ts`,
    `../../${domains[place + 1]}/noun/index.ts`,
  ];
}

const innocent = [
  ...domainRoots.flatMap((folder) =>
    domains.slice(1).map((domain: string) => `${folder}/${domain}/noun/index.ts`),
  ),
  "packages/contract/src/orders/order/order.rules.ts",
  "packages/contract/src/orders/order/order.contract.ts",
  "apps/server/src/leaf.ts",
  "apps/server/src/demo/index.ts",
  "apps/server/src/platform/http/mount.ts",
  "apps/server/src/platform/db/sql.ts",
  "apps/server/src/features/orders/order/index.ts",
  "apps/server/src/features/money/wallet/wallet.sql.ts",
  "apps/console/catalogue/sample.ts",
  "apps/console/src/ui/table.ts",
  "apps/console/src/shell/sidebar.ts",
  "apps/console/src/features/orders/order/order.ts",
  "apps/console/src/features/money/wallet/wallet.ts",
];

const folder = await mkdtemp(path.join(os.tmpdir(), "import-rules-"));
afterAll(() => rm(folder, { recursive: true }));

async function write(file: string, text: string) {
  const full = path.join(folder, file);
  await mkdir(path.dirname(full), { recursive: true });
  await writeFile(full, text);
}

interface Cruised {
  modules: number;
  rules: Set<string>;
  /** Files that break a rule. */
  files: string[];
}

async function cruise(where: string): Promise<Cruised> {
  const command = path.join(root, "node_modules/.bin/depcruise");
  const config = path.join(root, ".dependency-cruiser.mjs");
  const args = ["--config", config, "--output-type", "json", "packages", "apps"];
  const output = await new Promise<string>((resolve) => {
    execFile(command, args, { cwd: where, maxBuffer: 64 << 20 }, (_error, stdout) =>
      resolve(stdout),
    );
  });
  const { summary } = JSON.parse(output);
  const violations: { rule: { name: string }; from: string }[] = summary.violations;
  return {
    modules: summary.totalCruised,
    rules: new Set(violations.map(({ rule }) => rule.name)),
    files: violations.map(({ from }) => from),
  };
}

test("each rule has a planted violation", () => {
  const names = law.forbidden.map((rule: { name: string }) => rule.name);
  expect(Object.keys(planted).sort()).toEqual([...names].sort());
});

test("each planted violation is found, type-only imports included", async () => {
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  for (const file of innocent) await write(file, "export const leaf = 1;\n");
  await write(
    "packages/contract/src/kit/two.ts",
    'import type { T } from "./one.ts";\nexport type U = T;\n',
  );
  for (const [rule, [file, imports]] of Object.entries(planted)) {
    const typed = `import type * as planted from "${imports}";\nexport type T = typeof planted;\n`;
    const valued = `import * as planted from "${imports}";\nexport const value = planted;\n`;
    await write(file, valuesOnly.includes(rule) ? valued : typed);
    if (valuesOnly.includes(rule)) await write(file.replace(".ts", "-types.ts"), typed);
  }
  const { rules, files } = await cruise(folder);
  expect([...rules].sort()).toEqual(Object.keys(planted).sort());
  expect(files.filter((file) => file.endsWith("-types.ts"))).toEqual([]);
});

test("project itself: no violation, and all modules are seen", async () => {
  const { modules, rules } = await cruise(root);
  expect([...rules]).toEqual([]);
  expect(modules).toBeGreaterThan(100);
});

test("files of a feature say in their name what they are", () => {
  const files = globSync("apps/server/src/features/**/*.ts", { cwd: root });
  const named = /^(index|[\w-]+\.[a-z]+(\.test)?)\.ts$/;
  expect(files.map((file) => path.basename(file)).filter((name) => !named.test(name))).toEqual([]);
});
