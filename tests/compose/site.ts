// The site of compose.yaml, started by the commands of docs/sre (容器) with a release. Only the images of others are replaced.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { stringify } from "yaml";
import { chapter } from "../docs/documents.ts";
import type { Engine } from "./engine.ts";

export const STAND_INS = ["database", "broker", "caddy"] as const;
export const standIn = (service: string) => `localhost/${service}:test`;

const SN = "COMPOSE01";
const PASSWORD = "Quartz-lantern-9-harbour";
const ORIGIN = "https://localhost";
const ROOT_CERTIFICATE = "/data/caddy/pki/authorities/local/root.crt";

/** Command blocks of a section of docs/sre. */
function commandsOf(file: string, title: string): string[] {
  const section = chapter("sre", file).split(`${title}\n`)[1]?.split(/^##+ /m)[0] ?? "";
  return [...section.matchAll(/^```bash\n(.*?)^```/gms)].map(([, block = ""]) =>
    block
      .replaceAll("storage.example.com", "localhost")
      .replaceAll("A1000001", SN)
      .replace("第一个管理员的密码", PASSWORD),
  );
}

export class Site {
  readonly #engine: Engine;
  readonly #release: string;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  #simulator: ChildProcess | undefined;

  /** `release`: unpacked; `folder` gets everything else and exists. */
  constructor(engine: Engine, release: string, folder: string) {
    this.#engine = engine;
    this.#release = release;
    this.#folder = folder;
    this.#env = {
      ...process.env,
      PATH: `${this.#of("programs")}:${process.env.PATH}`,
      DOCKER_HOST: engine.socket,
      CA: this.#of("ca"),
      ADMIN_PASSWORD: PASSWORD,
      CABINET_SN: SN,
      NODE_EXTRA_CA_CERTS: this.#of("trusted.crt"),
      NODE_OPTIONS: "--disable-warning=ExperimentalWarning",
    };
  }

  #of(file: string): string {
    return path.join(this.#folder, file);
  }

  async #run(command: string, args: string[], cwd = this.#release): Promise<string> {
    const { stdout } = await promisify(execFile)(command, args, { cwd, env: this.#env });
    return stdout;
  }

  async #follow(script: string, cwd = this.#release): Promise<void> {
    await this.#run("bash", ["-euo", "pipefail", "-c", script], cwd);
  }

  /** Follows the documents up to the first `up`. */
  async start(): Promise<void> {
    this.#writePrograms();
    const [certificates = ""] = commandsOf("03-several.md", "### mosquitto");
    await this.#follow(certificates, this.#folder);
    const [secrets = "", start = ""] = commandsOf("13-containers.md", "## 一台机器：compose");
    await this.#follow(secrets + start);
  }

  /** `docker` of the documents: `compose` is the program of Compose 1, which does not know `name`. */
  #writePrograms(): void {
    const compose = path.join(this.#release, "deploy/compose");
    const whole = readFileSync(path.join(compose, "compose.yaml"), "utf8");
    writeFileSync(path.join(compose, "nameless.yaml"), whole.replace(/^name: .*\n/m, ""));
    const images = STAND_INS.map((service) => [service, { image: standIn(service) }]);
    const replaced = stringify({ services: Object.fromEntries(images) });
    writeFileSync(path.join(compose, "stand-ins.yaml"), replaced);
    mkdirSync(this.#of("programs"));
    const program = `#!/bin/sh
if [ "$1" = compose ]; then
  shift
  exec docker-compose --project-name=smart-storage --file=nameless.yaml --file=stand-ins.yaml "$@"
fi
for word; do
  shift
  [ "$word" != eclipse-mosquitto:2 ] || word=${standIn("broker")}
  set -- "$@" "$word"
done
PATH=\${PATH#*:} exec docker "$@"
`;
    writeFileSync(this.#of("programs/docker"), program, { mode: 0o755 });
  }

  compose(...args: string[]): Promise<string> {
    return this.#run("docker", ["compose", ...args], path.join(this.#release, "deploy/compose"));
  }

  /** Output of a command in a running service. */
  inside(service: string, ...command: string[]): Promise<string> {
    return this.compose("exec", "-T", service, ...command);
  }

  /** States of the services, as Docker tells them. */
  async states(): Promise<string> {
    const names = this.#engine.docker("ps", "--all", "--format={{.Names}} {{.Status}}");
    return (await names).replaceAll(/\(health: /g, "(");
  }

  /** Trusts the authority that Caddy made for `localhost`. */
  async trust(): Promise<void> {
    writeFileSync(this.#of("trusted.crt"), await this.inside("caddy", "cat", ROOT_CERTIFICATE));
  }

  /** Status and body of a page, from outside of the containers. */
  async page(target: string): Promise<{ status: number; body: string }> {
    const args = ["--silent", "--cacert", this.#of("trusted.crt"), "--write-out", "\n%{http_code}"];
    const text = await this.#run(...this.#engine.inNetwork("curl", ...args, ORIGIN + target));
    const lines = text.split("\n");
    return { status: Number(lines.pop()), body: lines.join("\n") };
  }

  async visit<Result>(action: string): Promise<Result> {
    const visitor = path.join(import.meta.dirname, "visitor.ts");
    const text = await this.#run(
      ...this.#engine.inNetwork(process.execPath, visitor, ORIGIN, action),
    );
    return JSON.parse(text);
  }

  /** Activates the cabinet, and connects it with its certificate. */
  simulate(activationCode: string): void {
    const cert = this.#of("cabinet");
    mkdirSync(cert);
    copyFileSync(this.#of("ca/cabinets-ca.crt"), path.join(cert, "ca.crt"));
    for (const end of ["crt", "key"]) {
      copyFileSync(this.#of(`ca/${SN}.${end}`), path.join(cert, `${SN}.${end}`));
    }
    const [command, args] = this.#engine.inNetwork(
      ...["./storage", "simulate", `--activate=${SN}:${activationCode}`, `--server=${ORIGIN}`],
      ...[`--cert=${cert}`, `--journal=${this.#of("journal")}`],
    );
    const env = { ...this.#env, DATA_DIR: this.#of("simulator") };
    this.#simulator = spawn(command, args, { cwd: this.#release, env, stdio: "inherit" });
  }

  async stop(): Promise<void> {
    if (this.#simulator && this.#simulator.exitCode === null) {
      this.#simulator.kill("SIGTERM");
      await once(this.#simulator, "exit");
    }
    if (existsSync(this.#of("programs"))) await this.compose("down", "--volumes");
  }
}
