// Migrations: plain SQL files in order, forward only, each once and whole.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { connectClient, LONG_ANSWER_MS } from "./postgres-client.ts";

const folder = path.join(import.meta.dirname, "../../../db/migrations");
/** Advisory lock key, the same for every process: one migrates, the others wait. */
const LOCK_KEY = 7_214_001;

/** Migrates the schema as the owner in `url`. Returns the names of the files applied now. */
export async function migrate(url: string): Promise<string[]> {
  const client = await connectClient({ url, purpose: "migration", answerWithinMs: LONG_ANSWER_MS });
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK_KEY]);
    await client.query(
      "create table if not exists migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())",
    );
    const known = await client.query<{ name: string; sha256: string }>("select * from migration");
    const shaOf = new Map(known.rows.map((row) => [row.name, row.sha256]));
    const applied: string[] = [];
    for (const name of (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort()) {
      const text = await readFile(path.join(folder, name), "utf8");
      const sha256 = createHash("sha256").update(text).digest("hex");
      if (shaOf.has(name)) {
        if (shaOf.get(name) !== sha256) {
          throw new Error(`迁移 ${name} 在执行后被修改过：迁移只能新增，不能改动`);
        }
        continue;
      }
      await client.query("begin");
      try {
        await client.query(text);
        await client.query("insert into migration (name, sha256) values ($1, $2)", [name, sha256]);
        await client.query("commit");
      } catch (error) {
        await client.query("rollback");
        throw error;
      }
      applied.push(name);
    }
    return applied;
  } finally {
    await client.end();
  }
}
