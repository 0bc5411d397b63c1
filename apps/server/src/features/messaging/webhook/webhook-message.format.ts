// Builds a webhook's body, headers and signatures according to Standard Webhooks.
import { randomBytes } from "node:crypto";
import { webhookIdOf } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import {
  type SentEventType,
  WEBHOOK_API_VERSION,
  type WebhookBody,
} from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { Webhook } from "standardwebhooks";
import type { Vault } from "../../../platform/secrets.ts";

const SECRET_BYTES = 32;

/** A new signing secret, `whsec_…`: 256 random bits. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** Associated data that binds a sealed secret to its endpoint. */
/** Sealing context: binds a sealed secret to its endpoint. */
export function sealedFor(tenantId: number, endpointId: number): string {
  return `callback:${tenantId}:${endpointId}`;
}

export function sealSecret(
  vault: Vault,
  { tenantId, id }: { tenantId: number; id: number },
  secret: string,
): Buffer {
  return vault.seal(secret, sealedFor(tenantId, id));
}

/** Throws when the secret was sealed under another master key. */
export function openSecret(
  vault: Vault,
  { tenantId, id, sealed }: { tenantId: number; id: number; sealed: Buffer },
): string {
  return vault.open(sealed, sealedFor(tenantId, id));
}

export interface EventFacts {
  uid: string;
  at: string;
  type: SentEventType;
  tenantSeq: number;
  data: Readonly<Record<string, unknown>>;
}

/** The JSON body; byte-identical for each attempt. */
export function bodyOf({ type, at, tenantSeq, data }: EventFacts): string {
  const body: WebhookBody = {
    type,
    timestamp: at,
    apiVersion: WEBHOOK_API_VERSION,
    tenantSeq,
    data,
  };
  return JSON.stringify(body);
}

/** Space-separated signatures, one for each active secret, newest first. */
export function signatureOf(
  uid: string,
  body: string,
  secrets: readonly string[],
  sentAt: Date,
): string {
  return secrets
    .map((secret) => new Webhook(secret).sign(webhookIdOf(uid), sentAt, body))
    .join(" ");
}

export function headersOf(uid: string, sentAt: Date, signature: string): Record<string, string> {
  return {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Cabinet-Callback/1",
    "webhook-id": webhookIdOf(uid),
    "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
    "webhook-signature": signature,
  };
}
