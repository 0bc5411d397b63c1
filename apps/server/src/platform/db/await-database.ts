// Waits at the start for an outside database, and says in one sentence why it cannot be used.
import { setTimeout as sleep } from "node:timers/promises";
import { SettingsError } from "../env.ts";
import { connectClient } from "./postgres-client.ts";
import { CONNECTION_LOST, codeOf } from "./sql-state.ts";

/** A database that starts together with the server, or fails over, is there by then. */
const WAIT_MS = 60_000;
const RETRY_MS = 1_000;
const OLDEST_MAJOR = 16;
const POOLER =
  "前面是事务级连接池（如 PgBouncer），它丢掉连接的设置和通知：请直连数据库，本系统自己复用连接，每个进程最多 20 个";

interface Patience {
  waitMs?: number;
  /** Called once, with the reason, when the wait begins. */
  onWait(reason: string): void;
}

/**
 * Returns once the database at `url` answers. Throws `SettingsError` if it refuses the login or is too
 * old, or does not answer within `waitMs`.
 */
export async function awaitDatabase(
  url: string,
  { waitMs = WAIT_MS, onWait }: Patience,
): Promise<void> {
  const endsAt = Date.now() + waitMs;
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      return await requireUsable(url);
    } catch (error) {
      const problem = problemOf(error, new URL(url));
      if (!problem) throw error;
      if (!problem.mayPass || Date.now() >= endsAt) throw new SettingsError(problem.sentence);
      if (!isWaiting) onWait(problem.sentence);
      await sleep(RETRY_MS);
    }
  }
}

async function requireUsable(url: string): Promise<void> {
  const client = await connectClient({ url, purpose: "start", settings: "-c lock_timeout=4321" });
  try {
    const { rows } = await client.query<{ version: string; isSet: boolean }>(
      `select current_setting('server_version') as version,
        current_setting('lock_timeout') = '4321ms' as "isSet"`,
    );
    const problem = versionProblem(rows[0]?.version ?? "");
    if (problem) throw new SettingsError(problem);
    // Behind a pooler that ignores them, statements would run without timeouts and notifications be lost.
    if (!rows[0]?.isSet) throw new SettingsError(`DATABASE_URL：${POOLER}`);
  } finally {
    await client.end();
  }
}

/** Sentence about a version such as `15.8 (Debian 15.8-0)`; null if it is new enough. */
export function versionProblem(version: string): string | null {
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return null;
  return `DATABASE_URL 的数据库是 PostgreSQL ${version}：需要 ${OLDEST_MAJOR} 以上，请升级它，或不填 DATABASE_URL 使用内置数据库`;
}

interface Problem {
  sentence: string;
  /** The database may come up later. */
  mayPass: boolean;
}

/** Undefined for an error that has no sentence. Never contains the password. */
function problemOf(error: unknown, url: URL): Problem | undefined {
  const code = codeOf(error);
  const { message } = error as Error;
  const host = url.searchParams.get("host") ?? (decodeURIComponent(url.hostname) || "localhost");
  const port = url.port || "5432";
  const user = decodeURIComponent(url.username);
  const name = decodeURIComponent(url.pathname.slice(1)) || user;
  const later = (why: string) => ({ sentence: `DATABASE_URL：${why}`, mayPass: true });
  const never = (why: string) => ({ sentence: `DATABASE_URL：${why}`, mayPass: false });
  const { syscall, path } = error as NodeJS.ErrnoException;
  // A missing socket file is ENOENT too, but fails to connect.
  if (code === "ENOENT" && syscall !== "connect") {
    return never(`读不到文件 ${path}，请检查 sslrootcert、sslcert 和 sslkey`);
  }
  if (/^(ECONNREFUSED|ENOENT)$/.test(code)) {
    return later(`${host}:${port} 上没有数据库，请启动它，或检查主机和端口`);
  }
  if (/^(ENOTFOUND|EAI_)/.test(code)) return later(`找不到主机 ${host}，请检查名称和 DNS`);
  if (/^(ETIMEDOUT|EHOST|ENET|ECONNRESET)/.test(code) || /timeout|terminated/.test(message)) {
    return later(`${host}:${port} 没有应答，请检查网络和防火墙`);
  }
  if (/unsupported startup parameter/.test(message)) return never(POOLER);
  if (CONNECTION_LOST.test(code)) return later(`数据库暂时不接受连接（${message}）`);
  if (/^28/.test(code) || message.startsWith("SASL:")) {
    return never(`数据库拒绝账号“${user}”登录，请检查用户名、密码和 pg_hba.conf`);
  }
  if (code === "3D000") return never(`没有名为“${name}”的数据库，请先创建：createdb ${name}`);
  if (message.includes("does not support SSL")) {
    return never("数据库没有启用 TLS，请在数据库一侧启用，或去掉 sslmode");
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) {
    return never(`数据库的证书不可信（${message}），请用 sslrootcert 指定签发它的证书`);
  }
  return undefined;
}
