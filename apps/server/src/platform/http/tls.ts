// TLS and HTTP/2 from a certificate on disk, which is read again once it has been renewed.
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  constants,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { createSecureContext } from "node:tls";
import type { FastifyInstance } from "fastify";
import { SettingsError, type TlsFiles } from "../env.ts";
import type { Log } from "../log.ts";

const RENEWAL_MS = 60_000;
/** Streams of one connection at a time, the usual number: Node itself sets no limit. */
const MAX_STREAMS = 100;
/** Limit of one request's headers, like Node's own for HTTP/1.1. */
const MAX_HEADER_BYTES = 16 * 1024;
/** A stream without a byte in or out for this long has a client that neither sends nor reads. */
const STALLED_MS = 30_000;
const KEEP_ALIVE_TIMES = 4;

interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/** Throws SettingsError when a file cannot be read, or when they are no certificate and its key. */
export function readCertificate({ certFile, keyFile }: TlsFiles): Certificate {
  const pair = { cert: read("TLS_CERT_FILE", certFile), key: read("TLS_KEY_FILE", keyFile) };
  try {
    createSecureContext(pair);
  } catch {
    throw new SettingsError(
      `TLS_CERT_FILE=${certFile} 与 TLS_KEY_FILE=${keyFile} 应为 PEM 格式的一份证书和它的私钥`,
    );
  }
  return pair;
}

function read(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new SettingsError(`${name}=${file} 读不到，请检查路径和权限`);
  }
}

/** Options of Fastify: HTTP/2, and HTTP/1.1 for clients that do not offer it. */
export function secureOptions(certificate: Certificate) {
  const settings = {
    maxConcurrentStreams: MAX_STREAMS,
    maxHeaderListSize: MAX_HEADER_BYTES,
  };
  return { http2: true, https: { ...certificate, allowHTTP1: true, settings } } as const;
}

/** Serves a renewed certificate to new connections; a broken one is logged, and the old one stays. */
export function renewCertificate(
  app: FastifyInstance,
  files: TlsFiles,
  { log, everyMs = RENEWAL_MS }: { log: Log; everyMs?: number },
): void {
  let current = readCertificate(files);
  const timer = setInterval(() => {
    try {
      const found = readCertificate(files);
      if (found.cert.equals(current.cert) && found.key.equals(current.key)) return;
      secureServerOf(app).setSecureContext(found);
      current = found;
      log.info("certificate renewed");
    } catch (error) {
      log.warn({ why: (error as Error).message }, "certificate not renewed");
    }
  }, everyMs);
  timer.unref();
  app.addHook("onClose", async () => clearInterval(timer));
}

/** Fastify's types know one kind of server, and the rest of the code needs no other. */
const secureServerOf = (app: FastifyInstance) => app.server as unknown as Http2SecureServer;

/**
 * Node's defaults for HTTP/1.1 connections of such a server are its own; with HTTP/2, requests name their host in
 * `:authority`.
 */
export function alignWithHttp1(
  app: FastifyInstance,
  { requestMs, keepAliveMs }: { requestMs: number; keepAliveMs: number },
): void {
  Object.assign(app.server, { requestTimeout: requestMs, keepAliveTimeout: keepAliveMs });
  app.addHook("onRequest", async ({ raw }) => {
    raw.headers.host ??= raw.headers[":authority"] as string | undefined;
  });
}

/** Ends streams without progress, and connections that have had none for a while: what they hold is the server's memory. */
export function endStalled(app: FastifyInstance, afterMs = STALLED_MS): void {
  secureServerOf(app).on("session", (session) => {
    session.setTimeout(KEEP_ALIVE_TIMES * afterMs, () => session.close());
    session.on("stream", (stream) =>
      stream.setTimeout(afterMs, () => stream.close(constants.NGHTTP2_CANCEL)),
    );
  });
}

/** Open HTTP/2 sessions, which Node before version 24 does not close with their server. */
export function http2Sessions(app: FastifyInstance): ReadonlySet<ServerHttp2Session> {
  const sessions = new Set<ServerHttp2Session>();
  secureServerOf(app).on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  return sessions;
}

/** Stream of an HTTP/2 request or response; undefined for HTTP/1.1. */
export function streamOf(raw: IncomingMessage | ServerResponse): ServerHttp2Stream | undefined {
  return (raw as { stream?: ServerHttp2Stream }).stream;
}

/** Whether the client has closed the response. Those of HTTP/2 have no `destroyed` of their own. */
export function isGone(raw: ServerResponse): boolean {
  return streamOf(raw)?.destroyed ?? raw.destroyed;
}
