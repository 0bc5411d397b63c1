// Demo creation that is killed with SIGKILL: the next start completes it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import {
  addresses,
  connectable,
  countAll,
  type Installation,
  openInstallation,
  welcome,
} from "./support/demo-installation.ts";

/** Cheap query: it is polled while the data is created. */
function isMade({ database }: Installation): Promise<unknown> {
  return database.read("platform", (db) => db.maybe(sql`select 1 from cabinet limit 1`));
}

describe("demo creation killed with SIGKILL", () => {
  const source = path.join(import.meta.dirname, "../apps/server/src");
  const program = `
    import { ensureDemo } from ${JSON.stringify(path.join(source, "demo/index.ts"))};
    import { openDatabase } from ${JSON.stringify(path.join(source, "platform/db/db.ts"))};
    import { openFileStore } from ${JSON.stringify(path.join(source, "platform/files/files.ts"))};
    import { createLog } from ${JSON.stringify(path.join(source, "platform/log.ts"))};
    import { openVault } from ${JSON.stringify(path.join(source, "platform/secrets.ts"))};
    const { url, dataDir, addresses } = JSON.parse(process.env.DEMO_TEST ?? "");
    const database = openDatabase(url, { vault: await openVault(dataDir) });
    const files = await openFileStore({ dataDir, s3: null });
    const log = createLog("silent");
    process.send("begins");
    await ensureDemo({ database, files, dataDir, log, ...addresses });
    await database.close();
    process.disconnect();`;

  function run({ clone, dataDir }: Installation) {
    return spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
      env: { ...process.env, DEMO_TEST: JSON.stringify({ url: clone.url, dataDir, addresses }) },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
  }

  async function killWhen(home: Installation, reached: () => Promise<unknown>): Promise<void> {
    const child = run(home);
    const exited = once(child, "exit");
    await Promise.race([once(child, "message"), exited]);
    await Promise.race([reached(), exited]);
    child.kill("SIGKILL");
    await exited;
  }

  it("next start: data is complete and the credential files are right", async () => {
    const home = await openInstallation();
    try {
      const empty = await countAll(home);
      for (const delayMs of [300, 1500]) {
        await killWhen(home, () => sleep(delayMs));
        // One transaction: all rows if the machine was that fast, otherwise none.
        const counts = await countAll(home);
        if (counts.cabinet === 0) expect(counts).toEqual(empty);
      }
      // Kill after the commit and before the files are written.
      await killWhen(home, async () => {
        while (!(await isMade(home))) await sleep(5);
      });
      const made = await countAll(home);
      const child = run(home);
      const [exitCode] = await once(child, "exit");
      expect(exitCode).toBe(0);
      expect(await countAll(home)).toMatchObject({ cabinet: 60, operator: 19, ...made });
      expect(await welcome(home)).toHaveLength(9);
      expect(await connectable(home)).toHaveLength(40);
    } finally {
      await home.close();
    }
  }, 300_000);
});
