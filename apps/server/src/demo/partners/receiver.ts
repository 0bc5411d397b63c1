// Webhook receiver of the demo's third party on this machine: verifies signatures and answers; sends nothing.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { checkCallback } from "@cabinet/open-api-client";
import { openWebhookSecret } from "../../features/messaging/webhook/index.ts";
import type { Database } from "../../platform/db/db.ts";
import type { Log } from "../../platform/log.ts";
import { findReceiverSecrets, moveReceiver } from "./webhook.sql.ts";

/** URL before the receiver has started; its port changes at each start, its path does not. */
const PATH = "/callback/express";
export const RECEIVER_URL = `http://127.0.0.1:9${PATH}`;
const MOST_BYTES = 64 * 1024;

interface ReceiverParts {
  database: Database;
  log: Log;
}

export interface DemoReceiver {
  /** `http://127.0.0.1:41234` */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Listens on a free port and points the demo's endpoints to it at each start. */
export async function startDemoReceiver({ database, log }: ReceiverParts): Promise<DemoReceiver> {
  let url = "";
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request);
    if (request.method !== "POST" || request.url !== PATH || body === null) {
      response.writeHead(body === null ? 413 : 404).end();
      return;
    }
    // Like a receiver that deploys a new secret at once.
    const found = await database.read("platform", (db) => findReceiverSecrets(db, url));
    const secrets = found.map((secret) => openWebhookSecret(database.vault, secret));
    const { headers } = request;
    const verdict = checkCallback(secrets, headersOf(headers), body, Math.floor(Date.now() / 1000));
    const isGood = verdict === "OK";
    response
      .writeHead(isGood ? 200 : 401, { "content-type": "application/json" })
      .end(JSON.stringify(isGood ? { received: true } : { error: verdict }));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      log.warn({ err: error }, "demo receiver failed");
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  url = `${origin}${PATH}`;
  await database.transaction("platform", (db) => moveReceiver(db, PATH, url));
  return {
    origin,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function headersOf(headers: IncomingMessage["headers"]) {
  const one = (name: string) => {
    const value = headers[name];
    return typeof value === "string" ? value : null;
  };
  return {
    "webhook-id": one("webhook-id"),
    "webhook-timestamp": one("webhook-timestamp"),
    "webhook-signature": one("webhook-signature"),
  };
}

/** Null when the body exceeds the size of any webhook. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
