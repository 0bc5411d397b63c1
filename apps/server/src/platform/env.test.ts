// Tests settings: accepted and refused values, and that .env.example names each exactly once.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { readSettings, SettingsError, unreadFileWarning } from "./env.ts";

test("settings: a file .env, which is not read, is warned of", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "env-"));
  expect(unreadFileWarning([os.tmpdir(), folder])).toBeNull();
  writeFileSync(path.join(folder, ".env"), "LOG_LEVEL=nonsense\n");
  expect(unreadFileWarning([os.tmpdir(), folder])).toContain(`${folder}/.env 不会被读取`);
  rmSync(folder, { recursive: true });
});

test("settings: every one has a default", () => {
  expect(readSettings({})).toEqual({
    port: 8080,
    host: "127.0.0.1",
    tls: null,
    trustedProxies: ["loopback"],
    dataDir: path.resolve("data"),
    secretKey: null,
    databaseUrl: null,
    databaseReadUrl: null,
    migratesSchema: true,
    metricsPort: null,
    metricsTenants: 1_000,
    metricsListen: null,
    mqttPort: 1883,
    tenantReportsPerSecond: 1_000,
    mqttUrl: null,
    deviceMqttUrl: null,
    s3: null,
    clamd: null,
    securityContact: null,
    amap: null,
    traces: null,
    wechatPayUrl: "https://api.mch.weixin.qq.com",
    aliyunSmsUrl: "https://dysmsapi.aliyuncs.com",
    tencentSmsUrl: "https://sms.tencentcloudapi.com",
    allowsLoopbackCallbacks: false,
    adminUsername: "admin",
    adminPassword: null,
    logLevel: "info",
  });
});

test.each([
  ["SECRET_KEY", "c2hvcnQ="],
  ["SECRET_KEY", "not base64"],
  ["DATABASE_URL_FILE", "/does/not/exist"],
  ["PORT", "abc"],
  ["PORT", "0"],
  ["PORT", "70000"],
  ["PORT", "80.5"],
  ["MQTT_PORT", "-1"],
  ["METRICS_PORT", "0"],
  ["METRICS_LISTEN", "9464"],
  ["METRICS_LISTEN", "http://127.0.0.1:9464"],
  ["METRICS_LISTEN", "127.0.0.1:70000"],
  ["CLAMD_ADDRESS", "clamd"],
  ["CLAMD_ADDRESS", "tcp://127.0.0.1:3310"],
  ["SECURITY_CONTACT", "security@example.cn"],
  ["SECURITY_CONTACT", "http://example.cn/security"],
  ["TENANT_REPORTS_PER_SECOND", "0"],
  ["TENANT_REPORTS_PER_SECOND", "many"],
  ["METRICS_TENANTS", "0"],
  ["HOST", "http://x"],
  ["TLS_CERT_FILE", "/etc/ssl/storage.pem"],
  ["TLS_KEY_FILE", "/etc/ssl/storage.key"],
  ["TRUSTED_PROXIES", "proxy.example.com"],
  ["TRUSTED_PROXIES", "10.0.0.0/33"],
  ["TRUSTED_PROXIES", "loopback,"],
  ["TRUSTED_PROXIES", "10.0.0.0/8/8"],
  ["TRUSTED_PROXIES", "0.0.0.0/0"],
  ["DATABASE_URL", "mysql://x"],
  ["DATABASE_URL", "postgres"],
  ["DATABASE_READ_URL", "mysql://x"],
  ["DATABASE_READ_URL", "postgres://replica/storage"],
  ["MQTT_URL", "http://broker"],
  ["WECHAT_PAY_URL", "ftp://pay"],
  ["ALIYUN_SMS_URL", "dysmsapi"],
  ["CALLBACK_LOOPBACK", "yes"],
  ["LOG_LEVEL", "loud"],
])("settings: %s=%s is refused with a message that names it", (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(SettingsError);
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(name));
});

test("settings: CLAMD_ADDRESS is a socket, or an address and a port", () => {
  const at = (CLAMD_ADDRESS: string) => readSettings({ CLAMD_ADDRESS }).clamd;
  expect(at("/run/clamav/clamd.ctl")).toEqual({ path: "/run/clamav/clamd.ctl" });
  expect(at("127.0.0.1:3310")).toEqual({ host: "127.0.0.1", port: 3310 });
});

test("settings: METRICS_LISTEN is an address and a port, and excludes METRICS_PORT", () => {
  const at = (METRICS_LISTEN: string) => readSettings({ METRICS_LISTEN }).metricsListen;
  expect(at("127.0.0.1:9464")).toEqual({ host: "127.0.0.1", port: 9464 });
  expect(at("[::1]:9464")).toEqual({ host: "::1", port: 9464 });
  expect(() => readSettings({ METRICS_LISTEN: "127.0.0.1:9464", METRICS_PORT: "9465" })).toThrow(
    "只能设置一个",
  );
});

test("settings: S3 storage is set completely or not at all", () => {
  const whole = {
    S3_ENDPOINT: "https://s3.example.com",
    S3_REGION: "cn-east-1",
    S3_BUCKET: "cabinet-files",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "hush",
  };
  expect(readSettings(whole).s3).toMatchObject({ bucket: "cabinet-files", region: "cn-east-1" });
  for (const name of Object.keys(whole)) {
    expect(() => readSettings({ ...whole, [name]: "" })).toThrow(new RegExp(`还缺 ${name}`));
  }
  expect(() => readSettings({ ...whole, S3_BUCKET: "My Files" })).toThrow(/S3_BUCKET/);
  expect(() => readSettings({ ...whole, S3_ENDPOINT: "s3.example.com" })).toThrow(/S3_ENDPOINT/);
});

test("settings: the map's key and its security code are set together or not at all", () => {
  const whole = { AMAP_KEY: "0123456789abcdef0123456789abcdef", AMAP_SECURITY_CODE: "hush" };
  expect(readSettings(whole).amap).toEqual({ key: whole.AMAP_KEY, securityCode: "hush" });
  for (const name of Object.keys(whole)) {
    expect(() => readSettings({ ...whole, [name]: "" })).toThrow(/一起设置/);
  }
  expect(() => readSettings({ ...whole, AMAP_KEY: "my key" })).toThrow(/AMAP_KEY/);
});

test("settings: an address with a password is not repeated in the refusal", () => {
  expect(() => readSettings({ DATABASE_URL: "mysql://me:hush@db" })).toThrow(/^(?!.*hush)/);
});

test("settings: one port cannot serve both console and broker", () => {
  expect(() => readSettings({ PORT: "1883" })).toThrow(/PORT 与 MQTT_PORT/);
  expect(readSettings({ PORT: "1883", MQTT_URL: "mqtt://broker" }).port).toBe(1883);
});

test(".env.example: names every setting once, and no other", () => {
  const here = import.meta.dirname;
  const source = readFileSync(path.join(here, "env.ts"), "utf8");
  const example = readFileSync(path.join(here, "../../../../.env.example"), "utf8");
  const read = [
    ...source.matchAll(/(?:text|port|url|headers|networks|flag|count|filePath)\("([A-Z_]+)"/g),
  ].map((match) => match[1]);
  const named = [...example.matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]);
  expect([...named].sort()).toEqual([...new Set(read)].sort());
  expect(new Set(named).size).toBe(named.length);
});

test("settings: traces, with percent-encoded headers, which no error repeats", () => {
  const endpoint = "http://127.0.0.1:4318";
  const given = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20a=b, x-team=7",
    OTEL_TRACES_SAMPLER_ARG: "0.25",
  };
  const headers = { authorization: "Bearer a=b", "x-team": "7" };
  expect(readSettings(given).traces).toEqual({ endpoint, headers, ratio: 0.25 });
  for (const wrong of ["secret", "a=%zz", "a b=c"]) {
    expect(() => readSettings({ OTEL_EXPORTER_OTLP_HEADERS: wrong })).toThrow(
      /^OTEL_EXPORTER_OTLP_HEADERS 不是有效的请求头：应为 名称=值/,
    );
  }
  for (const wrong of ["2", "-1", "half"]) {
    expect(() => readSettings({ OTEL_TRACES_SAMPLER_ARG: wrong })).toThrow(
      `OTEL_TRACES_SAMPLER_ARG=${wrong} 不是有效的比例`,
    );
  }
});

test("settings: a WeChat Pay URL loses its trailing slash", () => {
  const given = { WECHAT_PAY_URL: "http://127.0.0.1:9000/" };
  expect(readSettings(given).wechatPayUrl).toBe("http://127.0.0.1:9000");
});
