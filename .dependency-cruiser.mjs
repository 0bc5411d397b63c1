// The import law (ARCHITECTURE.md) as rules; tests/import-law.test.ts plants a violation of each.

const feature = "^apps/(server|console)/src/features/([^/]+)/";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "contract-is-the-ground",
      comment: "The contract imports only the schema library.",
      severity: "error",
      from: { path: "^packages/contract/src", pathNot: "\\.test\\.ts$" },
      to: { pathNot: ["^packages/contract/src", "node_modules/typebox/"] },
    },
    {
      name: "link-stands-alone",
      severity: "error",
      from: { path: "^packages/cabinet-link/src", pathNot: "\\.test\\.ts$" },
      to: { path: "^(apps|packages/contract)/" },
    },
    {
      name: "client-stands-alone",
      comment: "What third parties take along needs nothing of the house.",
      severity: "error",
      from: { path: "^packages/open-api-client/src", pathNot: "\\.test\\.ts$" },
      to: { pathNot: ["^packages/open-api-client/src", "^node:", "^crypto$"] },
    },
    {
      name: "no-server-in-console",
      severity: "error",
      from: { path: "^apps/console/" },
      to: { path: "^apps/(server|simulator)/" },
    },
    {
      name: "no-console-in-server",
      severity: "error",
      from: { path: "^apps/server/" },
      to: { path: "^apps/(console|simulator)/" },
    },
    {
      name: "no-server-in-simulator",
      severity: "error",
      from: { path: "^apps/simulator/", pathNot: "\\.test\\.ts$" },
      to: { path: "^apps/(server|console)/" },
    },
    {
      name: "rules-are-pure",
      comment: "No I/O: only other rules and contracts.",
      severity: "error",
      from: { path: "\\.rules\\.ts$" },
      to: { pathNot: ["\\.rules\\.ts$", "^packages/contract/src/", "node_modules/typebox/"] },
    },
    {
      name: "only-sql-speaks-to-the-database",
      severity: "error",
      from: { path: feature, pathNot: "\\.(sql|test)\\.ts$" },
      to: { path: "node_modules/pg/|node_modules/sql-template-tag/" },
    },
    {
      name: "only-jobs-speak-to-the-queue",
      severity: "error",
      from: { path: feature, pathNot: "\\.(jobs|test)\\.ts$" },
      to: {
        path: ["node_modules/graphile-worker/", "^apps/server/src/platform/jobs\\.ts$"],
      },
    },
    {
      name: "only-device-speaks-mqtt",
      severity: "error",
      from: { path: "^apps/server/src/", pathNot: "\\.(device|test)\\.ts$" },
      to: { path: "node_modules/(mqtt|aedes)/" },
    },
    {
      name: "only-routes-mount",
      severity: "error",
      from: { path: feature, pathNot: "\\.(routes|test)\\.ts$" },
      to: { path: "^apps/server/src/platform/mount\\.ts$" },
    },
    {
      name: "platform-knows-no-feature",
      severity: "error",
      from: { path: "^apps/server/src/platform/" },
      to: { path: "^apps/server/src/(features|demo)/" },
    },
    {
      name: "neighbours-by-index-alone",
      severity: "error",
      from: { path: "^apps/server/src/features/([^/]+)/" },
      to: {
        path: "^apps/server/src/features/([^/]+)/",
        pathNot: ["^apps/server/src/features/$1/", "^apps/server/src/features/[^/]+/index\\.ts$"],
      },
    },
    {
      name: "doors-by-index-alone",
      severity: "error",
      from: { path: "^apps/server/src/([^/]+\\.ts$|demo/)" },
      to: { path: "^apps/server/src/features/[^/]+/(?!index\\.ts$)" },
    },
    {
      name: "ui-knows-no-feature",
      severity: "error",
      from: { path: "^apps/console/src/ui/" },
      to: { path: "^apps/console/src/(features|shell)/" },
    },
    {
      name: "kit-knows-nobody",
      severity: "error",
      from: { path: "^apps/console/src/kit/" },
      to: { path: "^apps/console/src/(features|shell|ui)/" },
    },
    {
      name: "features-know-no-shell",
      severity: "error",
      from: { path: "^apps/console/src/features/" },
      to: { path: "^apps/console/src/shell/" },
    },
    {
      name: "console-neighbours-by-index-alone",
      severity: "error",
      from: { path: "^apps/console/src/features/([^/]+)/" },
      to: {
        path: "^apps/console/src/features/",
        pathNot: ["^apps/console/src/features/$1/", "^apps/console/src/features/[^/]+/index\\.ts$"],
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^apps/console/dist/" },
    // TypeScript 7 has no programming interface yet.
    parser: "swc",
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "default"] },
  },
};
