// Vite configuration of the catalogue, which is served alone and not part of the console's build.
import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { antdCss } from "../build/antd-css.ts";
import { dynamicCss } from "../build/plugins.ts";

const inConsole = (name: string) => path.join(import.meta.dirname, "..", name);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), antdCss(inConsole("src")), dynamicCss(inConsole("build/dynamic-css.ts"))],
  worker: { format: "es" },
});
