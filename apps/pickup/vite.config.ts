// Vite build of the page for riders and recipients: Preact in place of React, precompressed files below /m/.
import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompress } from "../console/build/plugins.ts";

export default defineConfig({
  base: "/m/",
  plugins: [react(), precompress()],
  resolve: {
    // React itself takes more than the page may weigh in all.
    alias: [
      { find: /^react$/, replacement: "preact/compat" },
      { find: /^react-dom$/, replacement: "preact/compat" },
      { find: /^react-dom\/client$/, replacement: "preact/compat/client" },
      { find: /^react\/jsx-(dev-)?runtime$/, replacement: "preact/jsx-runtime" },
    ],
  },
  build: {
    // The oldest WebViews in which people open links of a chat.
    target: ["chrome87", "safari14"],
    rolldownOptions: { input: path.join(import.meta.dirname, "index.html") },
    // The content security policy forbids data: URLs for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: "es" },
  server: {
    proxy: { "/api": `http://127.0.0.1:${process.env.PORT ?? 8080}` },
  },
});
