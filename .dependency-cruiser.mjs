// The import rules of ARCHITECTURE.md; tests/import-rules.test.ts plants a violation of each.

const feature = "^apps/(server|console)/src/features/[^/]+/([^/]+)/";

/** Domains of the features, bottom first: each imports only those before it (ARCHITECTURE.md). */
export const domains = [
  "link",
  "organization",
  "identity",
  "messaging",
  "money",
  "fleet",
  "operations",
  "orders",
  "equipment",
  "partners",
];

const domainOrder = domains.slice(0, -1).map((domain, place) => ({
  name: `${domain}-imports-no-domain-above`,
  severity: "error",
  from: {
    path: `^(apps/server/src/features|apps/console/src/features|packages/contract/src)/${domain}/`,
    pathNot: "\\.test\\.tsx?$",
  },
  to: { path: `^$1/(${domains.slice(place + 1).join("|")})/` },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "contract-kit-imports-no-domain",
      comment: "What all domains share knows none of them.",
      severity: "error",
      from: { path: "^packages/contract/src/(kit|vocabulary)/", pathNot: "\\.test\\.ts$" },
      to: { path: `^packages/contract/src/(${domains.join("|")})/` },
    },
    {
      name: "contract-imports-typebox-only",
      comment: "The contract imports only the schema library.",
      severity: "error",
      from: { path: "^packages/contract/src", pathNot: "\\.test\\.ts$" },
      to: { pathNot: ["^packages/contract/src", "node_modules/(typebox|ipaddr.js)/"] },
    },
    {
      name: "link-is-independent",
      severity: "error",
      from: { path: "^packages/cabinet-link/src", pathNot: "\\.test\\.ts$" },
      to: { path: "^(apps|packages/contract)/" },
    },
    {
      name: "client-is-independent",
      comment: "Third parties download this client; it imports nothing else of the project.",
      severity: "error",
      from: { path: "^packages/open-api-client/src", pathNot: "\\.test\\.ts$" },
      to: { pathNot: ["^packages/open-api-client/src", "^node:", "^crypto$"] },
    },
    {
      name: "no-server-in-console",
      severity: "error",
      from: { path: "^apps/console/" },
      to: { path: "^apps/(server|simulator|pickup)/" },
    },
    {
      name: "no-console-in-server",
      severity: "error",
      from: { path: "^apps/server/" },
      to: { path: "^apps/(console|pickup|simulator)/" },
    },
    {
      name: "no-server-in-simulator",
      severity: "error",
      from: { path: "^apps/simulator/", pathNot: "\\.test\\.ts$" },
      to: { path: "^apps/(server|console|pickup)/" },
    },
    {
      name: "pickup-imports-contract-only",
      comment: "The page for riders and recipients is a program of its own, on the app API alone.",
      severity: "error",
      from: { path: "^apps/pickup/src/" },
      to: { path: "^(apps/(?!pickup/)|packages/(?!contract/))" },
    },
    {
      name: "pickup-loads-no-schemas",
      comment:
        "Types of the contract, and its pure rules: the schema library would double the page.",
      severity: "error",
      from: { path: "^apps/pickup/src/", pathNot: "\\.test\\.ts$" },
      to: {
        path: "^packages/contract/src/",
        pathNot: "\\.rules\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "rules-are-pure",
      comment: "No I/O: only other rules and contracts.",
      severity: "error",
      from: { path: "\\.rules\\.ts$" },
      to: {
        pathNot: ["\\.rules\\.ts$", "^packages/contract/src/", "node_modules/(typebox|ipaddr.js)/"],
      },
    },
    {
      name: "database-only-in-sql-files",
      severity: "error",
      from: { path: feature, pathNot: "\\.(sql|test)\\.ts$" },
      to: {
        path: ["node_modules/(pg|sql-template-tag)/", "^apps/server/src/platform/db/sql\\.ts$"],
      },
    },
    {
      name: "queue-only-in-jobs-files",
      severity: "error",
      from: { path: feature, pathNot: "\\.(jobs|queue|test)\\.ts$" },
      to: {
        path: ["node_modules/graphile-worker/", "^apps/server/src/platform/jobs/jobs\\.ts$"],
      },
    },
    {
      name: "mqtt-only-in-device-files",
      severity: "error",
      from: { path: "^apps/server/src/", pathNot: "\\.(device|test)\\.ts$" },
      to: { path: "node_modules/(mqtt|aedes)/" },
    },
    {
      name: "only-routes-mount",
      severity: "error",
      from: { path: feature, pathNot: "\\.(routes|test)\\.ts$" },
      to: { path: "^apps/server/src/platform/http/mount\\.ts$" },
    },
    {
      name: "platform-imports-no-feature",
      severity: "error",
      from: { path: "^apps/server/src/platform/" },
      to: { path: "^apps/server/src/(features|demo)/" },
    },
    {
      name: "demo-on-demand-only",
      comment: "A production process must not load the demo: main.ts imports it dynamically.",
      severity: "error",
      from: { path: "^apps/server/src/", pathNot: ["^apps/server/src/demo/", "\\.test\\.ts$"] },
      to: { path: "^apps/server/src/demo/", dynamic: false },
    },
    {
      name: "features-by-index-only",
      severity: "error",
      from: { path: "^apps/server/src/features/([^/]+/[^/]+)/" },
      to: {
        path: "^apps/server/src/features/",
        pathNot: [
          "^apps/server/src/features/$1/",
          "^apps/server/src/features/[^/]+/[^/]+/index\\.ts$",
        ],
      },
    },
    {
      name: "processes-by-index-only",
      severity: "error",
      from: { path: "^apps/server/src/([^/]+\\.ts$|demo/)" },
      to: { path: "^apps/server/src/features/[^/]+/[^/]+/(?!index\\.ts$)" },
    },
    {
      name: "catalogue-imports-no-feature",
      comment: "It shows the parts that features are made of.",
      severity: "error",
      from: { path: "^apps/console/catalogue/" },
      to: { path: "^apps/console/src/features/" },
    },
    {
      name: "no-catalogue-in-console",
      severity: "error",
      from: { path: "^apps/console/src/" },
      to: { path: "^apps/console/catalogue/" },
    },
    {
      name: "ui-imports-no-feature",
      severity: "error",
      from: { path: "^apps/console/src/ui/" },
      to: { path: "^apps/console/src/(domain|features|shell)/" },
    },
    {
      name: "ui-imports-no-noun",
      comment: "Parts of any admin console: of the contracts, they use only services of their own.",
      severity: "error",
      from: { path: "^apps/console/src/ui/", pathNot: "\\.test\\.tsx?$" },
      to: {
        path: "^packages/contract/src/",
        pathNot:
          "^packages/contract/src/(kit|live|organization/map|messaging/rich-text|operations/export)/",
      },
    },
    {
      name: "domain-imports-no-feature",
      comment: "Business parts that several features share.",
      severity: "error",
      from: { path: "^apps/console/src/domain/" },
      to: { path: "^apps/console/src/(features|shell)/" },
    },
    {
      name: "kit-imports-nothing-above",
      severity: "error",
      from: { path: "^apps/console/src/kit/" },
      to: { path: "^apps/console/src/(domain|features|shell|ui)/" },
    },
    {
      name: "console-has-one-button",
      comment: "ui/display/button.tsx: antd's own costs a list several milliseconds (0104).",
      severity: "error",
      from: { path: "^apps/console/" },
      to: { path: "node_modules/antd/es/button/" },
    },
    {
      name: "console-dialogs-from-overlays",
      comment: "ui/display/overlays.tsx draws them outside of the form or row that they belong to.",
      severity: "error",
      from: {
        path: "^apps/console/",
        pathNot: "^apps/console/src/ui/display/antd-overlays\\.ts$",
      },
      to: {
        path: "node_modules/antd/(es|lib)/(index|modal|drawer|popconfirm|popover)\\b",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "features-import-no-shell",
      severity: "error",
      from: { path: "^apps/console/src/features/" },
      to: { path: "^apps/console/src/shell/" },
    },
    {
      name: "console-features-by-index-only",
      severity: "error",
      from: { path: "^apps/console/src/features/([^/]+/[^/]+)/" },
      to: {
        path: "^apps/console/src/features/",
        pathNot: [
          "^apps/console/src/features/$1/",
          "^apps/console/src/features/[^/]+/[^/]+/index\\.ts$",
        ],
      },
    },
    ...domainOrder,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^apps/(console|pickup)/dist/" },
    // TypeScript 7 has no compiler API yet.
    parser: "swc",
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "default"] },
  },
};
