// Vite build of the console: hashed assets, precompressed files, and a version file derived from
// them.
import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { antdCss } from "./build/antd-css.ts";
import { clientFile } from "./build/client-file.ts";
import { markdownDocs, vectorFiles } from "./build/markdown.ts";
import { dynamicCss, precompress, versionFile } from "./build/plugins.ts";

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
    clientFile(),
    versionFile(),
    precompress(),
  ],
  build: {
    target: "es2023",
    // The console, and the map's iframe page.
    rolldownOptions: {
      input: ["index.html", "map.html"].map((page) => path.join(import.meta.dirname, page)),
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
