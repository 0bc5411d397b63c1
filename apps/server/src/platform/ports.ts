// Checks that the required ports are free before anything is created.
import { once } from "node:events";
import { createServer } from "node:net";
import { SettingsError } from "./env.ts";

/** Throws SettingsError when the port is not available; `setting` is the one to change. */
export async function requireFreePort(setting: string, port: number, host: string): Promise<void> {
  const server = createServer();
  try {
    server.listen({ port, host });
    await once(server, "listening");
  } catch (error) {
    throw new SettingsError(portProblem(setting, port, host, error as NodeJS.ErrnoException));
  }
  server.close();
  await once(server, "close");
}

function portProblem(
  setting: string,
  port: number,
  host: string,
  { code, message }: NodeJS.ErrnoException,
): string {
  const other = `用 ${setting} 换一个端口`;
  if (code === "EADDRINUSE")
    return `端口 ${port}（${setting}）已被占用：请停止占用它的程序，或${other}`;
  if (code === "EACCES") return `没有权限监听端口 ${port}（${setting}）：请${other}`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return `HOST=${host} 不是本机的地址：应为本机的 IP、127.0.0.1 或 0.0.0.0`;
  }
  return `不能监听端口 ${port}（${setting}）：${message}`;
}
