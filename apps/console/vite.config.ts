// Vite build of the console: hashed assets, precompressed files, and a version file derived from
// them.
import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { antdCss } from "./build/antd-css.ts";
import { clientFile } from "./build/client-file.ts";
import { integrationFiles, markdownDocs, vectorFiles } from "./build/markdown.ts";
import { compileAhead, dynamicCss, precompress, versionFile } from "./build/plugins.ts";

/**
 * Chunks by how pages use them, the first match counts: without them a list page loads forty files.
 * Each group includes what its modules import.
 */
const chunkGroups = [
  // Tokens of the console and the map: merged with modules of pages, they would load these with the sign-in page.
  { name: "tokens", test: /\/src\/tokens\.css$/ },
  // Not all that is loaded at first: the map in its frame has an entry of its own.
  { name: "start", test: /\/src\/main\.tsx$/ },
  { name: "app", test: /\/src\/(app|shell\/feedback)\.tsx$/ },
  { name: "home", test: /\/dashboard\.page\.tsx$/ },
  { name: "library", test: /\/src\/shell\/antd-provider\.tsx$/ },
  { name: "list", test: /\/src\/domain\/list-page\.tsx$/ },
  { name: "select", test: /\/antd\/es\/select\/|\/src\/.*(one|tenant)-select\.tsx$/ },
  // Overlays and the forms in them: loaded with pages that have forms, otherwise when the browser is idle.
  {
    name: "overlays",
    test: /\/src\/(domain\/money-dialog|ui\/(display\/(antd-overlays|action-dialog)|form\/form-frames|sheet\/export-dialog))\.tsx?$/,
  },
  {
    name: "dates",
    test: /\/src\/ui\/(form\/(day-input|date-time-input)|list\/time-range-filter)\.tsx$/,
  },
  // Without the checks of imports: they need those of forms, which come with the overlays.
  {
    name: "contract",
    test: /\/packages\/contract\/(?!src\/kit\/judge-lines)/,
    minShareCount: 2,
  },
  { name: "parts", test: /\/src\/(domain|ui\/(display|form|list|live))\//, minShareCount: 8 },
  {
    name: "shared",
    test: /\/src\/(?!ui\/(chart|map-picker|rich-text|sheet)\/)/,
    minShareCount: 2,
    // A chunk for each set of pages that share modules; the smallest join another.
    entriesAware: true,
    entriesAwareMergeThreshold: 3_000,
  },
];

/** The service worker's scope is its folder, and its name must stay the same. */
const entryFileNames = ({ name }: { name: string }) =>
  name === "service-worker" ? "[name].js" : "assets/[name]-[hash].js";

/** Shortens the name `shared~one.page~other.page` to `shared`; ad blockers stop files whose names begin with `advert`. */
const plainName = (name = "") => name.split("~")[0]?.replace(/^advert/, "screen-content");
const chunkFileNames = ({ name }: { name: string }) => `assets/${plainName(name)}-[hash].js`;
const assetFileNames = ({ names: [name] }: { names: string[] }) =>
  `assets/${plainName(name?.replace(/\.[^.]*$/, ""))}-[hash][extname]`;

export default defineConfig({
  plugins: [
    react(),
    antdCss(path.join(import.meta.dirname, "src")),
    dynamicCss(path.join(import.meta.dirname, "build/dynamic-css.ts")),
    markdownDocs(),
    vectorFiles({
      "cabinet-link": path.join(import.meta.dirname, "../../packages/cabinet-link/vectors"),
      "open-api": path.join(import.meta.dirname, "../../packages/open-api-client/vectors"),
    }),
    integrationFiles(path.join(import.meta.dirname, "../../docs/sdk")),
    clientFile(),
    // Chunks that load while the browser is idle.
    compileAhead(["app", "home", "library", "list"]),
    versionFile(),
    precompress(),
  ],
  build: {
    target: "es2023",
    // The console, the map's iframe page, the service worker.
    rolldownOptions: {
      input: ["index.html", "map.html", "src/service-worker.ts"].map((file) =>
        path.join(import.meta.dirname, file),
      ),
      output: {
        codeSplitting: { groups: chunkGroups },
        assetFileNames,
        chunkFileNames,
        entryFileNames,
      },
    },
    assetsDir: "assets",
    // The content security policy forbids data: URLs for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    reportCompressedSize: false,
  },
  worker: { format: "es" },
  server: {
    proxy: { "/api": `http://127.0.0.1:${process.env.PORT ?? 8080}` },
  },
});
