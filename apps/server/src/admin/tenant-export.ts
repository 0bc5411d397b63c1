// Writes all data of one tenant into an archive: rows as JSON lines, uploaded files, the schema, a manifest.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { finished } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { SettingsError } from "../platform/env.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { version } from "../platform/version.ts";
import { tarEnd, tarHeader, tarPadding } from "./tar.format.ts";
import { findTenantTables, type TenantTable } from "./tenant-tables.ts";

const SCHEMA = path.join(import.meta.dirname, "../../db/schema.sql");
const ROWS_PER_ENTRY = 5_000;

export interface Manifest {
  format: 1;
  tenantId: number;
  exportedAt: string;
  release: string;
  /** By table: rows, and columns that were left out because they are secret. */
  tables: Record<string, { rows: number; withheld: string[] }>;
  files: number;
  /** Uploaded files that are registered and were not found in the file store. */
  missingFiles: string[];
  /** SHA-256 of each entry of the archive, by name. */
  sha256: Record<string, string>;
}

/** Exports one snapshot as `target`, complete or absent. `client` is that of the tables' owner. */
export async function exportTenant(
  client: pg.Client,
  files: Pick<FileStore, "read">,
  { tenantId, target, now }: { tenantId: number; target: string; now: Date },
): Promise<Manifest> {
  const tables = (await findTenantTables(client)).filter(({ isExported }) => isExported);
  const archive = new Archive(`${target}.unfinished`, now);
  const manifest: Manifest = {
    ...{ format: 1, tenantId, exportedAt: now.toISOString(), release: version },
    ...{ tables: {}, files: 0, missingFiles: [], sha256: archive.sha256 },
  };
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query("set local role cabinet_platform");
    const tenant = await client.query(
      "select to_json(tenant)::text as line from tenant where id = $1",
      [tenantId],
    );
    if (tenant.rowCount === 0) throw new SettingsError(`没有编号为 ${tenantId} 的租户。`);
    await archive.add("tenant.json", Buffer.from(`${tenant.rows[0].line}\n`));
    await archive.add("schema.sql", await readFile(SCHEMA));
    for (const table of tables) {
      const rows = await addRows(client, archive, table, tenantId);
      manifest.tables[table.name] = { rows, withheld: table.withheld };
    }
    await addFiles(client, archive, files, manifest);
    await client.query("commit");
    await archive.add("manifest.json", Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    await archive.close();
    await rename(archive.file, target);
    return manifest;
  } catch (error) {
    await client.query("rollback");
    archive.abandon();
    await rm(archive.file, { force: true });
    throw error;
  }
}

async function addRows(
  client: pg.Client,
  archive: Archive,
  { name, columns, primaryKey }: TenantTable,
  tenantId: number,
): Promise<number> {
  const quoted = (names: string[]) => names.map((each) => client.escapeIdentifier(each)).join(", ");
  const order = primaryKey.length > 0 ? `order by ${quoted(primaryKey)}` : "";
  // The platform's announcements reach all tenants: its rows are told apart by `tenant_id` alone.
  await client.query(
    `declare tenant_rows no scroll cursor for select to_json(exported)::text as line from (
       select ${quoted(columns)} from ${client.escapeIdentifier(name)}
       where tenant_id = ${tenantId} ${order}) exported`,
  );
  let total = 0;
  for (let part = 1; ; part++) {
    const { rows } = await client.query(`fetch ${ROWS_PER_ENTRY} from tenant_rows`);
    if (rows.length === 0) break;
    total += rows.length;
    const entry = `tables/${name}/${String(part).padStart(6, "0")}.jsonl`;
    await archive.add(entry, Buffer.from(`${rows.map(({ line }) => line).join("\n")}\n`));
  }
  await client.query("close tenant_rows");
  return total;
}

async function addFiles(
  client: pg.Client,
  archive: Archive,
  store: Pick<FileStore, "read">,
  manifest: Manifest,
): Promise<void> {
  const { rows } = await client.query<{ id: string; storageKey: string; sizeBytes: number }>(
    "select id, storage_key, size_bytes from file where tenant_id = $1 order by id",
    [manifest.tenantId],
  );
  for (const { id, storageKey, sizeBytes } of rows) {
    const content = await store.read(storageKey).catch(() => null);
    if (content) {
      await archive.addStream(`files/${id}`, sizeBytes, content);
      manifest.files += 1;
    } else {
      manifest.missingFiles.push(id);
    }
  }
}

/** A gzipped tar archive on disk, readable by its owner only. */
class Archive {
  readonly file: string;
  readonly sha256: Record<string, string> = {};
  readonly #now: Date;
  readonly #gzip = createGzip();
  readonly #written: Promise<void>;

  constructor(file: string, now: Date) {
    this.file = file;
    this.#now = now;
    const output = this.#gzip.pipe(createWriteStream(file, { mode: 0o600, flush: true }));
    this.#gzip.on("error", (error) => output.destroy(error));
    this.#written = finished(output);
    // A failed write is reported by close(), or was abandoned.
    this.#written.catch((error) => this.#gzip.destroy(error));
  }

  async add(name: string, content: Buffer): Promise<void> {
    await this.addStream(name, content.length, [content]);
  }

  async addStream(
    name: string,
    size: number,
    content: Iterable<Buffer> | AsyncIterable<Buffer>,
  ): Promise<void> {
    const hash = createHash("sha256");
    let arrived = 0;
    await this.#write(tarHeader(name, size, this.#now));
    for await (const chunk of content) {
      arrived += chunk.length;
      hash.update(chunk);
      await this.#write(chunk);
    }
    if (arrived !== size) throw new Error(`${name}: ${arrived} bytes instead of ${size}`);
    await this.#write(tarPadding(size));
    this.sha256[name] = hash.digest("hex");
  }

  async close(): Promise<void> {
    this.#gzip.end(tarEnd);
    await this.#written;
  }

  abandon(): void {
    this.#gzip.destroy(new Error("export abandoned"));
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#gzip.destroyed) await this.#written;
    if (!this.#gzip.write(bytes)) await Promise.race([once(this.#gzip, "drain"), this.#written]);
  }
}
