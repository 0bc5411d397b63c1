// Seals and opens one message on its topic in one step: API for gateways and cabinets.
import type { DownMessages } from "./down-messages.ts";
import { type FrameError, openFrame, sealFrame } from "./frame.ts";
import type { CabinetKeys } from "./keys.ts";
import { LINK_VERSION } from "./limits.ts";
import type { SetAside } from "./set-aside.ts";
import { type DownKind, downTopic, parseTopic, qosOf, type UpKind, upTopic } from "./topics.ts";
import type { UpMessages } from "./up-messages.ts";
import {
  type MessageError,
  type ParsedCommand,
  type ParsedMessage,
  parseCommand,
  parseDown,
  parseUp,
} from "./validate.ts";

/** Message ready to publish by an MQTT client or broker; `retain` is always false. */
export interface SealedMessage {
  readonly topic: string;
  readonly payload: Buffer;
  readonly qos: 0 | 1;
  readonly retain: false;
}

/** Message without `v`, which sealing adds. */
export type Unversioned<T> = T extends { v: number } ? Omit<T, "v"> : never;

/** Reason for refusing a message; the sender is not authenticated in errors before TOO_DEEP. */
export type ReceiveError = "BAD_TOPIC" | FrameError | MessageError;

/**
 * `message` belongs to `kind`: narrow on `kind`. `setAside` are fields that were ignored, `json` is the raw text that
 * was signed.
 */
export type OpenedUp =
  | {
      [K in UpKind]: {
        readonly ok: true;
        readonly cabinetId: string;
        readonly kind: K;
        readonly message: UpMessages[K];
        readonly setAside: readonly SetAside[];
        readonly json: string;
      };
    }[UpKind]
  | { readonly ok: false; readonly error: ReceiveError; readonly detail?: string };

/** Like `OpenedUp`; a failed command is authentic too and must be answered. */
export type OpenedDown =
  | {
      [K in Exclude<DownKind, "cmd">]: {
        readonly ok: true;
        readonly kind: K;
        readonly message: DownMessages[K];
      };
    }[Exclude<DownKind, "cmd">]
  | { readonly ok: true; readonly kind: "cmd"; readonly command: ParsedCommand }
  | { readonly ok: false; readonly error: ReceiveError; readonly detail?: string };

/** Signs a report with `keys.up`. Throws `RangeError` if it is too long (see `splitBirth`). */
export function sealUp<K extends UpKind>(
  keys: Pick<CabinetKeys, "up">,
  cabinetId: string,
  kind: K,
  message: Unversioned<UpMessages[K]>,
): SealedMessage {
  const topic = upTopic(cabinetId, kind);
  const payload = sealFrame(keys.up, topic, { v: LINK_VERSION, ...message });
  return { topic, payload, qos: qosOf(kind), retain: false };
}

/** Signs a server's message with `keys.down`. Keep the bytes: a resend repeats them exactly. */
export function sealDown<K extends DownKind>(
  keys: Pick<CabinetKeys, "down">,
  cabinetId: string,
  kind: K,
  message: Unversioned<DownMessages[K]>,
): SealedMessage {
  const topic = downTopic(cabinetId, kind);
  const payload = sealFrame(keys.down, topic, { v: LINK_VERSION, ...message });
  return { topic, payload, qos: qosOf(kind), retain: false };
}

function failed<T>(parsed: Extract<ParsedMessage<T>, { ok: false }>) {
  return { ok: false, error: parsed.error, detail: parsed.detail } as const;
}

/**
 * Opens a report: topic → signature → form. `keys` are those of the cabinet in the topic; while
 * two secrets overlap, try the one it connected with first. Never throws.
 */
export function openUp(keys: Pick<CabinetKeys, "up">, topic: string, bytes: Uint8Array): OpenedUp {
  const parsed = parseTopic(topic);
  if (parsed?.direction !== "up") return { ok: false, error: "BAD_TOPIC" };
  const frame = openFrame(keys.up, topic, bytes);
  if (!frame.ok) return frame;
  const { cabinetId, kind } = parsed;
  const parsedReport = parseUp(kind, frame.value);
  if (!parsedReport.ok) return failed(parsedReport);
  const { message, setAside } = parsedReport;
  return { ok: true, cabinetId, kind, message, setAside, json: frame.json } as OpenedUp;
}

/** Opens a server's message to `cabinetId`: topic → signature → form. Never throws. */
export function openDown(
  keys: Pick<CabinetKeys, "down">,
  cabinetId: string,
  topic: string,
  bytes: Uint8Array,
): OpenedDown {
  const parsed = parseTopic(topic);
  if (parsed?.direction !== "dn" || parsed.cabinetId !== cabinetId) {
    return { ok: false, error: "BAD_TOPIC" };
  }
  const frame = openFrame(keys.down, topic, bytes);
  if (!frame.ok) return frame;
  if (parsed.kind === "cmd") return { ok: true, kind: "cmd", command: parseCommand(frame.value) };
  const message = parseDown(parsed.kind, frame.value);
  if (!message.ok) return failed(message);
  return { ok: true, kind: parsed.kind, message: message.message } as OpenedDown;
}
