// `./storage psql`: opens the database of this installation in the psql of the machine; the release has none.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { runningUrl } from "../backup/base-backup.ts";
import { type Settings, SettingsError } from "../platform/env.ts";

/** Reads unless `mayWrite`. The password is in the environment: others see the arguments of a process. */
export async function openPsql(
  settings: Settings,
  { mayWrite, args }: { mayWrite: boolean; args: string[] },
): Promise<number> {
  const given = settings.databaseUrl ?? runningUrl(settings.dataDir);
  if (!given) {
    throw new SettingsError(`${settings.dataDir} 的内置数据库没有在运行：请先启动服务。`);
  }
  const url = new URL(given);
  const password = decodeURIComponent(url.password);
  url.password = "";
  // Row-level security hides all rows from the owner of the tables.
  const options = ["-c role=cabinet_platform"];
  if (!mayWrite) options.push("-c default_transaction_read_only=on");
  const child = spawn("psql", [url.href, ...args], {
    stdio: "inherit",
    env: {
      ...process.env,
      ...(password && { PGPASSWORD: password }),
      PGOPTIONS: options.join(" "),
    },
  });
  const [code] = await once(child, "exit").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new SettingsError(
      "这台机器上没有 psql：请安装 postgresql-client（16 以上），例如 apt-get install postgresql-client。",
    );
  });
  return code ?? 1;
}
