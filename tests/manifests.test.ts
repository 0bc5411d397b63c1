// Compose file and Kubernetes manifests: what must hold in them, checked against the settings of the server.
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hasPromtool, refusalsOf, refusalsOfPromtool, valuesOf } from "./support/go-yaml.ts";
import { lacks } from "./support/lacks.ts";
import { typeErrorsOf } from "./support/typed-literal.ts";

const deploy = path.join(import.meta.dirname, "../deploy");
const read = (file: string) => readFileSync(path.join(deploy, file), "utf8");
const settings = new Set(
  [...read("../.env.example").matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name),
);
const { version } = JSON.parse(read("../package.json"));
const SECRETS =
  /^(DATABASE_URL|DATABASE_READ_URL|MQTT_URL|SECRET_KEY|ADMIN_PASSWORD|S3_ACCESS_KEY_ID|S3_SECRET_ACCESS_KEY|OTEL_EXPORTER_OTLP_HEADERS|AMAP_SECURITY_CODE)$/;

/** Settings that do not exist, and secrets that are not given by a file. */
function problemsOf(environment: Record<string, string>): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (!settings.has(name.replace(/_FILE$/, ""))) return [`no setting ${name}`];
    return SECRETS.test(name) ? [`${name} is not a file`] : [];
  });
}

describe("yaml", () => {
  const files = globSync("**/*.{yaml,yml}", { cwd: deploy });
  const QUERY = "a:\n  - { path: /readyz?exclude=broker, port: http }\n";

  it.each(files)("%s: programs in Go read it", (file) => {
    expect(refusalsOf(read(file))).toEqual([]);
  });

  it("check: an unquoted question mark and a doubled key are reported", () => {
    expect(refusalsOf(QUERY).join()).toContain("/readyz?exclude=broker");
    expect(refusalsOf(QUERY.replace(/(\/.*),/, '"$1",'))).toEqual([]);
    expect(refusalsOf("a: /readyz?exclude=broker\nb: https://host\n")).toEqual([]);
    expect(refusalsOf("a: 1\na: 2\n").join()).toContain("unique");
  });

  it("promtool's reader: takes the same files, and refuses the question mark", (context) => {
    context.skip(lacks("部署文件由 Go 程序读取", !hasPromtool && "没有安装 promtool"));
    expect(files.flatMap((file) => refusalsOfPromtool(read(file)))).toEqual([]);
    expect(refusalsOfPromtool(`a: 1\n---\n${QUERY}`).join()).toContain("did not find expected");
  });
});

describe("kubernetes", () => {
  const objects = valuesOf(read("kubernetes/smart-storage.yaml"));
  const ofKind = (kind: string) => objects.filter((each) => each.kind === kind);
  const deployments = ofKind("Deployment");
  const [config] = ofKind("ConfigMap");

  it("objects: have the fields of the Kubernetes API", () => {
    expect(typeErrorsOf(objects, "kubernetes")).toEqual([]);
  });

  it("check: a misspelt field and a wrong value are reported", () => {
    const [deployment] = structuredClone(deployments);
    const [container] = deployment.spec.template.spec.containers;
    container.readynessProbe = {};
    expect(typeErrorsOf([deployment], "kubernetes").join()).toContain("readynessProbe");
    delete container.readynessProbe;
    deployment.spec.replicas = "2";
    expect(typeErrorsOf([deployment], "kubernetes").join()).toContain("'string'");
  });

  it("api, gateway and worker: one deployment each, of this version, started as this service", () => {
    const names = deployments.map((each) => each.metadata.labels["app.kubernetes.io/component"]);
    expect(names).toEqual(["api", "gateway", "worker"]);
    for (const [place, { spec }] of deployments.entries()) {
      const [container] = spec.template.spec.containers;
      expect(container.args).toEqual(["start", `--services=${names[place]}`]);
      expect(container.image).toMatch(new RegExp(`:${version}$`));
      expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
      expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    }
  });

  it("processes: not root, no rights, read-only root, probes, resources, time to stop", () => {
    for (const { spec } of deployments) {
      const pod = spec.template.spec;
      const [container] = pod.containers;
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
      expect(pod.securityContext.seccompProfile.type).toBe("RuntimeDefault");
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(40);
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      for (const probe of ["startupProbe", "readinessProbe"]) {
        expect(container[probe].httpGet.path).toBe("/readyz?exclude=broker");
      }
      // A restart does not heal a database that is away.
      expect(container.livenessProbe.httpGet.path).toBe("/healthz");
      expect(container.resources).toMatchObject({
        requests: { cpu: expect.anything(), memory: expect.anything() },
        limits: { memory: expect.anything() },
      });
      const mounts = container.volumeMounts.map((each: { name: string }) => each.name).sort();
      expect(mounts).toEqual(pod.volumes.map((each: { name: string }) => each.name).sort());
      expect(Buffer.byteLength(String(pod.volumes[0].secret.secretName))).toBeGreaterThan(0);
      const port = container.ports[0].containerPort;
      expect(port).toBe(container.name === "api" ? 8080 : Number(config.data.METRICS_PORT));
    }
  });

  it("settings: exist, secrets by file, files outside the processes", () => {
    expect(problemsOf(config.data)).toEqual([]);
    for (const [name, file] of Object.entries<string>(config.data)) {
      if (name.endsWith("_FILE")) expect(file).toMatch(/^\/run\/secrets\/storage\/[a-z0-9-]+$/);
    }
    expect(Object.keys(config.data)).toEqual(
      expect.arrayContaining(["S3_BUCKET", "SECRET_KEY_FILE", "MQTT_URL_FILE"]),
    );
    expect(ofKind("Secret")).toEqual([]);
  });

  it("pod monitor: selects every deployment, and names the job as alerts and dashboard do", () => {
    const [{ spec }] = valuesOf(read("kubernetes/podmonitor.yaml"));
    const jobs = deployments.map((each) => each.spec.template.metadata.labels[spec.jobLabel]);
    expect(new Set(jobs)).toEqual(new Set(["smart-storage"]));
    const [name, value] = Object.entries(spec.selector.matchLabels).flat() as [string, string];
    const [{ port }] = spec.podMetricsEndpoints;
    for (const { spec: deployment } of deployments) {
      expect(deployment.template.metadata.labels[name]).toBe(value);
      expect(deployment.template.spec.containers[0].ports[0].name).toBe(port);
    }
    expect(read("prometheus/alerts.yml")).toContain(`up{job="${jobs[0]}"}`);
  });

  it("service and disruption budgets: select the deployments", () => {
    const labels = deployments.map((each) => each.spec.selector.matchLabels);
    expect(labels).toContainEqual(ofKind("Service")[0].spec.selector);
    expect(ofKind("PodDisruptionBudget").map((each) => each.spec.selector.matchLabels)).toEqual(
      labels,
    );
  });
});

describe("compose", () => {
  const [compose] = valuesOf(read("compose/compose.yaml"));
  const { services } = compose;

  it("server: this version, settings exist, secrets by file, no rights, read-only root", () => {
    const { server } = services;
    expect(server.image).toContain(`smart-storage:${version}`);
    expect(problemsOf(server.environment)).toEqual([]);
    for (const name of server.secrets) {
      expect(Object.values(server.environment)).toContain(`/run/secrets/${name}`);
      expect(compose.secrets[name].file).toBe(`./secrets/${name}`);
    }
    expect(server).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(server.healthcheck.test.join()).toContain("/readyz?exclude=broker");
    expect(server.ports).toBeUndefined();
  });

  it("services: have no port of database or gateways open, and files that exist", () => {
    const ports = Object.values<{ ports?: string[] }>(services).flatMap((each) => each.ports ?? []);
    expect(ports.sort()).toEqual(["443:443", "443:443/udp", "80:80", "8883:8883"]);
    const [{ subnet }] = compose.networks.internal.ipam.config;
    expect(services.server.environment.TRUSTED_PROXIES).toBe(subnet);
    for (const { volumes = [] } of Object.values<{ volumes?: string[] }>(services)) {
      for (const volume of volumes) {
        const [from = ""] = volume.split(":");
        if (!from.startsWith(".")) expect(compose.volumes).toHaveProperty(from);
        else if (!from.startsWith("./secrets/")) {
          expect(existsSync(path.join(deploy, "compose", from)), from).toBe(true);
        }
      }
    }
  });

  it("caddy: shares no network with the server that TRUSTED_PROXIES does not have", () => {
    const shared = services.caddy.networks.filter((name: string) =>
      services.server.networks.includes(name),
    );
    expect(shared).toEqual(["internal"]);
  });

  it("mosquitto: its queue is in a folder that the image gives to its user", () => {
    // A volume elsewhere belongs to root.
    expect(services.broker.volumes).toContain("broker:/mosquitto/data");
    expect(read("compose/mosquitto.conf")).toMatch(/^persistence_location \/mosquitto\/data\/$/m);
  });

  it("mosquitto: differs from deploy/mosquitto in internal address and folder of the queue only", () => {
    const rules = (file: string) =>
      read(file)
        .split("\n")
        .filter((each) => each !== "" && !each.startsWith("#"));
    expect(rules("compose/mosquitto.conf")).toEqual(
      rules("mosquitto/mosquitto.conf").map((each) =>
        each.replace(/ 10\.0\.0\.5$/, "").replace("/var/lib/mosquitto/", "/mosquitto/data/"),
      ),
    );
  });

  it("caddy: names its host and the server by the variables that the Caddyfile has", () => {
    const caddyfile = read("caddy/Caddyfile");
    for (const name of Object.keys(services.caddy.environment)) {
      expect(caddyfile).toContain(`{$${name}:`);
    }
  });
});

it("check: an unknown setting and a secret in the environment are reported", () => {
  expect(problemsOf({ COLOUR: "red", DATABASE_URL: "x", PORT: "1", MQTT_URL_FILE: "y" })).toEqual([
    "no setting COLOUR",
    "DATABASE_URL is not a file",
  ]);
});
