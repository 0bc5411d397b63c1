// Installs packages of Debian.
import { runStep } from "./run-step.mjs";

/**
 * Updates the lists of packages, then installs those that `packages()` names. Throws StepFailed with `advice`.
 * `asRoot` stands before each command, e.g. `sudo -n`.
 */
export async function installWithApt({ title, packages, advice, asRoot = [] }) {
  // A run level of one: the services that come with a package are not started.
  const environment = ["env", "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1"];
  const [command, ...prefix] = [...asRoot, ...environment, "apt-get"];
  await runStep({
    ...{ title: "正在更新系统软件包列表", command, advice },
    args: [...prefix, "update", "--quiet"],
  });
  await runStep({
    ...{ title, command, advice },
    args: [...prefix, "install", "--yes", "--quiet", "--no-install-recommends", ...packages()],
  });
}
