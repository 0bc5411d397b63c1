// Vite plugins: version.json, precompressed files, hints for V8, styles without style elements.
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(?:m?js|css|html|svg|json|txt|webmanifest)$/;
const MIN_BYTES = 1_024;

/**
 * Writes `{ "version": … }`: a hash of the output, so that an identical build triggers no update
 * prompt.
 */
export function versionFile(): Plugin {
  return {
    name: "version-file",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const hash = createHash("sha256");
        for (const name of Object.keys(bundle).sort()) {
          const file = bundle[name];
          if (file) hash.update(name).update(file.type === "chunk" ? file.code : file.source);
        }
        const version = hash.digest("hex").slice(0, 16);
        const document = bundle["index.html"];
        if (document?.type !== "asset") throw new Error("no index.html in the build");
        const mark = '<html lang="zh-CN"';
        const marked = String(document.source).replace(mark, `${mark} data-version="${version}"`);
        if (!marked.includes(version)) throw new Error(`no ${mark} in index.html`);
        document.source = marked;
        this.emitFile({
          type: "asset",
          fileName: "version.json",
          source: JSON.stringify({ version }),
        });
      },
    },
  };
}

/**
 * V8 compiles all functions of these chunks when they load, on a thread of its own, instead of each when it is first
 * called. It reads the comment only at the beginning, where Vite puts its own lines later than a banner.
 */
export function compileAhead(names: readonly string[]): Plugin {
  return {
    name: "compile-ahead",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === "chunk" && names.includes(file.name)) {
            file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
          }
        }
      },
    },
  };
}

/** Replaces antd's module that writes style elements by `file`. */
export function dynamicCss(file: string): Plugin {
  return {
    name: "dynamic-css",
    enforce: "pre",
    resolveId: {
      filter: { id: /Dom\/dynamicCSS(?:\.js)?$/ },
      handler: () => file,
    },
  };
}

/** Writes `name.br` and `name.gz` next to each text file of the output. */
export function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    writeBundle: {
      order: "post",
      sequential: true,
      async handler({ dir }) {
        if (!dir) return;
        const names = await readdir(dir, { recursive: true });
        await Promise.all(
          names
            .filter((name) => COMPRESSIBLE.test(name))
            .map((name) => writeTwins(path.join(dir, name))),
        );
      },
    },
  };
}

async function writeTwins(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < MIN_BYTES) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
}
