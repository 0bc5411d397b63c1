// Bundles the open-API client into one file without dependencies, for integrators without access to
// this repository.
import path from "node:path";
import { build, type Plugin } from "vite";

const entry = path.join(import.meta.dirname, "../../../packages/open-api-client/src/index.ts");

/** Unminified JavaScript for Node 20 and later. */
export async function bundleClient(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      ...{ write: false, minify: false, target: "es2022" },
      lib: { entry, formats: ["es"] },
      rolldownOptions: { external: /^node:/ },
    },
  });
  const chunks = [output].flat().flatMap((each) => ("output" in each ? each.output : []));
  const [chunk, ...rest] = chunks;
  if (chunk?.type !== "chunk" || rest.length > 0) throw new Error("the client is not one file");
  return `// 智能存取系统 开放接口客户端：签名、验证回调、按同一个 Idempotency-Key 重试。Node 20 以上，无依赖。\n${chunk.code}`;
}

/** Emits `/sdk/open-api-client.mjs` at a stable URL. */
export function clientFile(): Plugin {
  return {
    name: "client-file",
    apply: "build",
    async generateBundle() {
      this.emitFile({
        type: "asset",
        fileName: "sdk/open-api-client.mjs",
        source: await bundleClient(),
      });
    },
  };
}
