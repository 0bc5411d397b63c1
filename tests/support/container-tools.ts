// Finds a container engine that works on this machine, and a Debian image to build on.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const REGISTRY_BASE = "debian:12-slim";
const LOCAL_BASE = "localhost/smart-storage-base:12";
/** Some sandboxes allow neither other control groups nor higher limits. */
const LIMITS = ["--network=host", "--ulimit=nofile=10000:10000", "--ulimit=nproc=4096:4096"];
const WAYS = [[], ["--runtime=runc", "--cgroup-manager=cgroupfs"]];

export interface ContainerTools {
  /** Arguments that stand before the command of podman. */
  global: string[];
  /** Arguments of `podman run`. */
  limits: string[];
  base: string;
}

const succeeds = (command: string, args: string[]) =>
  spawnSync(command, args, { stdio: "ignore", timeout: 120_000 }).status === 0;

/** A sentence if there is none: why the test is skipped. */
export function findContainerTools(): ContainerTools | string {
  if (!succeeds("podman", ["--version"])) return "没有安装 podman";
  if (!succeeds("buildah", ["--version"])) return "没有安装 buildah";
  const base = findBase();
  if (!base) return "没有 Debian 镜像：连不上镜像仓库，也没有安装 debootstrap";
  const global = WAYS.find((way) => {
    return succeeds("podman", [...way, "run", "--rm", ...LIMITS, base, "true"]);
  });
  return global ? { global, limits: LIMITS, base } : "podman 在这台机器上不能运行容器";
}

function findBase(): string | null {
  if (succeeds("podman", ["image", "exists", LOCAL_BASE])) return LOCAL_BASE;
  if (succeeds("podman", ["pull", "--quiet", REGISTRY_BASE])) return REGISTRY_BASE;
  if (!succeeds("debootstrap", ["--version"])) return null;
  const folder = mkdtempSync(path.join(os.tmpdir(), "container-base-"));
  try {
    const root = path.join(folder, "root");
    const tar = path.join(folder, "root.tar");
    execFileSync("debootstrap", ["--variant=minbase", "bookworm", root], { stdio: "ignore" });
    execFileSync("tar", ["--create", `--file=${tar}`, `--directory=${root}`, "."]);
    execFileSync("podman", ["import", tar, LOCAL_BASE], { stdio: "ignore" });
    return LOCAL_BASE;
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
