// Settings from the environment: each read once here, each explained in .env.example.
import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { USERNAME_PATTERN } from "@cabinet/contract/identity/operator/operator.rules.ts";
import type { S3Settings } from "./files/file-store.ts";
import type { ClamdAddress } from "./files/virus-scan.ts";
import type { TraceSettings } from "./tracing.port.ts";

/** A key of the map service (AMap); the security code never leaves the server. */
export interface AmapKey {
  key: string;
  securityCode: string;
}

/** PEM files of a certificate with its chain, and of its key. */
export interface TlsFiles {
  certFile: string;
  keyFile: string;
}

export interface Settings {
  port: number;
  host: string;
  /** Absent: plain HTTP, for loopback and behind a proxy. */
  tls: TlsFiles | null;
  /** Proxies whose X-Forwarded-For is trusted: addresses, networks, `loopback`. */
  trustedProxies: string[];
  dataDir: string;
  /** Master keys, newest first; absent: `secret.key` of the data folder. */
  secretKey: Buffer | null;
  /** Absent: the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** A streaming replica of it for lists, statistics and exports; absent: none. */
  databaseReadUrl: string | null;
  /** Migrates the schema at the start; otherwise a schema that is too old is refused. */
  migratesSchema: boolean;
  /** Port for health and metrics of a process without the API; absent: none. */
  metricsPort: number | null;
  /** Highest number of a tenant with series of its own. */
  metricsTenants: number;
  /** Where alone metrics and the whole API document are served; absent: beside the API. */
  metricsListen: { host: string; port: number } | null;
  mqttPort: number;
  /** Heartbeats, and sensor events, of one tenant that a gateway stores per second. */
  tenantReportsPerSecond: number;
  /** Absent: the embedded broker. */
  mqttUrl: string | null;
  /** Broker address for cabinets; absent: the host by which they reached the server. */
  deviceMqttUrl: string | null;
  /** Absent: files are stored in the data folder. */
  s3: S3Settings | null;
  /** Scans uploads for viruses; absent: nothing does. */
  clamd: ClamdAddress | null;
  /** Contact in security.txt; null: there is none. */
  securityContact: string | null;
  /** Absent: locations are entered without a map. */
  amap: AmapKey | null;
  /** Base URL of WeChat Pay. */
  wechatPayUrl: string;
  /** Base URLs of the SMS carriers. */
  aliyunSmsUrl: string;
  tencentSmsUrl: string;
  /** Allows webhooks to http and loopback addresses, for trials on one machine. */
  allowsLoopbackCallbacks: boolean;
  /** Absent: no traces. */
  traces: TraceSettings | null;
  /** Name of the first account. */
  adminUsername: string;
  /** Absent: random, printed once. */
  adminPassword: string | null;
  logLevel: (typeof logLevels)[number];
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Endpoint for mainland China. */
const WECHAT_PAY_URL = "https://api.mch.weixin.qq.com";
const ALIYUN_SMS_URL = "https://dysmsapi.aliyuncs.com";
const TENCENT_SMS_URL = "https://sms.tencentcloudapi.com";

export class SettingsError extends Error {}

/** Sentence about a file that looks like settings and is not read; null if there is none in these folders. */
export function unreadFileWarning(folders: readonly string[]): string | null {
  const file = folders.map((folder) => path.join(folder, ".env")).find((each) => existsSync(each));
  if (!file) return null;
  return `${file} 不会被读取：设置由环境变量给出（systemd 用 EnvironmentFile=，终端里用 set -a; . ${file}; set +a）`;
}

/** Reads and checks all settings. Throws SettingsError with one sentence: the setting and why. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  /** Each setting may come from a file, named by `NAME_FILE`: so that secrets need not stand in the environment. */
  function text(name: string): string | null {
    const given = env[name]?.trim() || null;
    const file = env[`${name}_FILE`]?.trim();
    if (!file) return given;
    if (given !== null) throw new SettingsError(`${name} 与 ${name}_FILE 只能设置一个`);
    try {
      return readFileSync(file, "utf8").trim() || null;
    } catch {
      throw new SettingsError(`${name}_FILE=${file} 读不到，请检查路径和权限`);
    }
  }

  function port(name: string, fallback: number): number {
    const given = text(name);
    if (given === null) return fallback;
    const value = Number(given);
    if (!/^\d+$/.test(given) || value < 1 || value > 65535) {
      throw new SettingsError(`${name}=${given} 不是有效端口：应为 1 到 65535 的整数`);
    }
    return value;
  }

  function count(name: string, fallback: number, what: string): number {
    const given = text(name);
    if (given === null) return fallback;
    if (!/^[1-9]\d{0,6}$/.test(given)) {
      throw new SettingsError(`${name}=${given} 不是有效的${what}：应为 1 到 9999999 的整数`);
    }
    return Number(given);
  }

  const metricsPort = text("METRICS_PORT") === null ? null : port("METRICS_PORT", 0);

  /** Null for what is not `host:port`. */
  function hostAndPort(given: string): { host: string; port: number } | null {
    const [, ipv6 = "", name = "", port = ""] =
      /^(?:\[([0-9A-Fa-f:]+)\]|([A-Za-z0-9.-]+)):([1-9]\d{0,4})$/.exec(given) ?? [];
    const at = { host: ipv6 || name, port: Number(port) };
    return at.port < 1 || at.port > 65535 ? null : at;
  }

  function clamd(): ClamdAddress | null {
    const given = text("CLAMD_ADDRESS");
    if (given === null) return null;
    const at = given.startsWith("/") ? { path: given } : hostAndPort(given);
    if (!at) {
      throw new SettingsError(
        `CLAMD_ADDRESS=${given} 不是有效的地址：应为套接字的路径，如 /run/clamav/clamd.ctl，或“地址:端口”`,
      );
    }
    return at;
  }

  function securityContact(): string | null {
    const given = text("SECURITY_CONTACT");
    if (given === null || /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[\d-]+)$/.test(given))
      return given;
    throw new SettingsError(
      `SECURITY_CONTACT=${given} 不是有效的联系方式：应以 mailto:、https:// 或 tel: 开头`,
    );
  }

  function metricsListen(): Settings["metricsListen"] {
    const given = text("METRICS_LISTEN");
    if (given === null) return null;
    const at = hostAndPort(given);
    if (!at) {
      throw new SettingsError(
        `METRICS_LISTEN=${given} 不是有效的监听地址：应为“地址:端口”，如 127.0.0.1:9464`,
      );
    }
    if (metricsPort !== null) {
      throw new SettingsError("METRICS_LISTEN 与 METRICS_PORT 只能设置一个");
    }
    return at;
  }

  function url(name: string, protocols: string[]): string | null {
    const given = text(name);
    if (given === null) return null;
    const protocol = /^([a-z]+):\/\/\S+$/.exec(given)?.[1];
    if (!protocol || !protocols.includes(protocol)) {
      // The value is not repeated: it may contain a password.
      throw new SettingsError(`${name} 不是有效地址：应以 ${protocols.join(":// 或 ")}:// 开头`);
    }
    return given;
  }

  function flag(name: string, fallback: "on" | "off"): boolean {
    const given = text(name) ?? fallback;
    if (given !== "on" && given !== "off") {
      throw new SettingsError(`${name}=${given} 不是有效的开关：应为 on 或 off`);
    }
    return given === "on";
  }

  function networks(name: string): string[] {
    const given = (text(name) ?? "loopback").split(",").map((network) => network.trim());
    for (const network of given) {
      const [address = "", bits = "1", ...rest] = network.split("/");
      const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
      // A /0 network would trust everybody, who could then claim any address.
      const isNetwork = /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most && rest.length === 0;
      if (network !== "loopback" && !isNetwork) {
        throw new SettingsError(
          `${name} 中的 ${network} 不是有效网段：应为 loopback、IP 或 10.0.0.0/24 这样的网段，用逗号分隔`,
        );
      }
    }
    return given;
  }

  function s3(): S3Settings | null {
    const given = {
      S3_ENDPOINT: url("S3_ENDPOINT", ["http", "https"]),
      S3_REGION: text("S3_REGION"),
      S3_BUCKET: text("S3_BUCKET"),
      S3_ACCESS_KEY_ID: text("S3_ACCESS_KEY_ID"),
      S3_SECRET_ACCESS_KEY: text("S3_SECRET_ACCESS_KEY"),
    };
    const missing = Object.entries(given).flatMap(([name, value]) => (value ? [] : [name]));
    if (missing.length === Object.keys(given).length) return null;
    if (missing.length > 0) {
      throw new SettingsError(
        `S3 设置不完整，还缺 ${missing.join("、")}：五项要么都填，要么都不填`,
      );
    }
    if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(given.S3_BUCKET ?? "")) {
      throw new SettingsError(
        `S3_BUCKET=${given.S3_BUCKET} 不是有效的存储桶名：应为 3 到 63 位小写字母、数字、点或短横`,
      );
    }
    return {
      endpoint: given.S3_ENDPOINT ?? "",
      region: given.S3_REGION ?? "",
      bucket: given.S3_BUCKET ?? "",
      accessKeyId: given.S3_ACCESS_KEY_ID ?? "",
      secretAccessKey: given.S3_SECRET_ACCESS_KEY ?? "",
    };
  }

  /** As OpenTelemetry defines it: `name=value,…`, values percent-encoded. */
  function headers(name: string): Record<string, string> {
    try {
      const pairs = (text(name) ?? "").split(",").filter(Boolean);
      return Object.fromEntries(
        pairs.map((pair) => {
          const [, key, value] = /^([\w-]+)=([\x21-\x7e]+)$/.exec(pair.trim()) as string[];
          return [key, decodeURIComponent(value as string)];
        }),
      );
    } catch {
      // The value is not repeated: it may contain a token.
      throw new SettingsError(`${name} 不是有效的请求头：应为 名称=值，用逗号分隔，值按 URL 编码`);
    }
  }

  function traces(): TraceSettings | null {
    const endpoint = url("OTEL_EXPORTER_OTLP_ENDPOINT", ["http", "https"]);
    const sent = headers("OTEL_EXPORTER_OTLP_HEADERS");
    const ratio = text("OTEL_TRACES_SAMPLER_ARG") ?? "1";
    if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(ratio)) {
      throw new SettingsError(
        `OTEL_TRACES_SAMPLER_ARG=${ratio} 不是有效的比例：应为 0 到 1 的小数，如 0.1`,
      );
    }
    return endpoint === null ? null : { endpoint, headers: sent, ratio: Number(ratio) };
  }

  function secretKey(): Buffer | null {
    const given = text("SECRET_KEY");
    if (given === null) return null;
    const bytes = Buffer.from(given, "base64");
    // The value is not repeated: it is a secret.
    if (!/^[\w+/-]+=*$/.test(given) || bytes.length === 0 || bytes.length % 32 !== 0) {
      throw new SettingsError(
        "SECRET_KEY 不是主密钥：应为 secret.key 的 base64（base64 -w0 secret.key）",
      );
    }
    return bytes;
  }

  /** A path instead of contents: the files are read again when the certificate is renewed. */
  const filePath = (name: string): string | null => env[name]?.trim() || null;

  function tls(): TlsFiles | null {
    const [certFile, keyFile] = [filePath("TLS_CERT_FILE"), filePath("TLS_KEY_FILE")];
    if (certFile === null && keyFile === null) return null;
    if (certFile === null || keyFile === null) {
      throw new SettingsError("TLS_CERT_FILE 与 TLS_KEY_FILE 要一起设置：证书和它的私钥");
    }
    return { certFile, keyFile };
  }

  function amapKey(): AmapKey | null {
    const [key, securityCode] = [text("AMAP_KEY"), text("AMAP_SECURITY_CODE")];
    if (key === null && securityCode === null) return null;
    if (key === null || securityCode === null) {
      throw new SettingsError(
        "AMAP_KEY 与 AMAP_SECURITY_CODE 要一起设置：两者都在高德开放平台的应用管理中",
      );
    }
    if (!/^[A-Za-z0-9]{16,64}$/.test(key)) {
      throw new SettingsError("AMAP_KEY 不是有效的 key：应为字母和数字，请从高德开放平台复制");
    }
    return { key, securityCode };
  }

  const level = text("LOG_LEVEL") ?? "info";
  const logLevel = logLevels.find((known) => known === level);
  if (!logLevel) {
    throw new SettingsError(`LOG_LEVEL=${level} 不是日志级别：可选 ${logLevels.join("、")}`);
  }
  const host = text("HOST") ?? "127.0.0.1";
  if (!/^[A-Za-z0-9.:-]+$/.test(host)) {
    throw new SettingsError(`HOST=${host} 不是有效的监听地址：应为 IP 或主机名`);
  }
  const adminUsername = text("ADMIN_USERNAME") ?? "admin";
  if (!new RegExp(USERNAME_PATTERN).test(adminUsername)) {
    throw new SettingsError(
      `ADMIN_USERNAME=${adminUsername} 不是有效的账号：3 至 32 位，以字母开头，其余为字母、数字、点、横线或下划线`,
    );
  }
  const adminPassword = text("ADMIN_PASSWORD");
  const settings = {
    port: port("PORT", 8080),
    host,
    tls: tls(),
    trustedProxies: networks("TRUSTED_PROXIES"),
    dataDir: path.resolve(text("DATA_DIR") ?? "data"),
    secretKey: secretKey(),
    databaseUrl: url("DATABASE_URL", ["postgres", "postgresql"]),
    databaseReadUrl: url("DATABASE_READ_URL", ["postgres", "postgresql"]),
    migratesSchema: flag("MIGRATE", "on"),
    metricsPort,
    metricsTenants: count("METRICS_TENANTS", 1_000, "租户编号"),
    metricsListen: metricsListen(),
    mqttPort: port("MQTT_PORT", 1883),
    tenantReportsPerSecond: count("TENANT_REPORTS_PER_SECOND", 1_000, "次数"),
    mqttUrl: url("MQTT_URL", ["mqtt", "mqtts", "ws", "wss"]),
    deviceMqttUrl: url("DEVICE_MQTT_URL", ["mqtt", "mqtts"]),
    s3: s3(),
    clamd: clamd(),
    securityContact: securityContact(),
    amap: amapKey(),
    wechatPayUrl: (url("WECHAT_PAY_URL", ["http", "https"]) ?? WECHAT_PAY_URL).replace(/\/$/, ""),
    allowsLoopbackCallbacks: flag("CALLBACK_LOOPBACK", "off"),
    aliyunSmsUrl: url("ALIYUN_SMS_URL", ["http", "https"]) ?? ALIYUN_SMS_URL,
    tencentSmsUrl: url("TENCENT_SMS_URL", ["http", "https"]) ?? TENCENT_SMS_URL,
    traces: traces(),
    adminUsername,
    adminPassword,
    logLevel,
  };
  if (settings.databaseReadUrl && !settings.databaseUrl) {
    throw new SettingsError("DATABASE_READ_URL 要与 DATABASE_URL 一起设置：内置数据库没有只读副本");
  }
  if (settings.port === settings.mqttPort && !settings.mqttUrl) {
    throw new SettingsError(`PORT 与 MQTT_PORT 都是 ${settings.port}：请为其中一个换一个端口`);
  }
  return settings;
}
