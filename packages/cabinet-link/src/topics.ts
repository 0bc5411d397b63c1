// Topics of the cabinet link and their access rules: exact matches only, no wildcards.
import { isCabinetId } from "./keys.ts";

export const UP_KINDS = ["birth", "state", "evt", "ack", "hb", "will"] as const;
export const DOWN_KINDS = ["hello", "cmd", "cfg", "job"] as const;

/** Topic kinds that a cabinet publishes. */
export type UpKind = (typeof UP_KINDS)[number];
/** Topic kinds that a cabinet subscribes to. */
export type DownKind = (typeof DOWN_KINDS)[number];

export type ParsedTopic =
  | { readonly cabinetId: string; readonly direction: "up"; readonly kind: UpKind }
  | { readonly cabinetId: string; readonly direction: "dn"; readonly kind: DownKind };

/** Filter of a gateway that is a client of a broker cluster: reports of all cabinets. */
export const ALL_UP_FILTER = "c1/+/up/+";

/** `c1/{cabinetId}/up/{kind}` */
export function upTopic(cabinetId: string, kind: UpKind): string {
  return `c1/${cabinetId}/up/${kind}`;
}

/** `c1/{cabinetId}/dn/{kind}` */
export function downTopic(cabinetId: string, kind: DownKind): string {
  return `c1/${cabinetId}/dn/${kind}`;
}

/** Full names of the four topics that a cabinet subscribes to. */
export function downTopics(cabinetId: string): string[] {
  return DOWN_KINDS.map((kind) => downTopic(cabinetId, kind));
}

/** QoS of a kind: 0 for heartbeats, 1 otherwise. Nothing is retained. */
export function qosOf(kind: UpKind | DownKind): 0 | 1 {
  return kind === "hb" ? 0 : 1;
}

/** Splits a topic name; `undefined` for a topic outside the cabinet link. */
export function parseTopic(topic: string): ParsedTopic | undefined {
  const [root, cabinetId, direction, kind, ...rest] = topic.split("/", 5);
  if (root !== "c1" || cabinetId === undefined || rest.length > 0) return undefined;
  if (!isCabinetId(cabinetId)) return undefined;
  if (direction === "up") {
    const up = UP_KINDS.find((known) => known === kind);
    return up && { cabinetId, direction, kind: up };
  }
  if (direction === "dn") {
    const down = DOWN_KINDS.find((known) => known === kind);
    return down && { cabinetId, direction, kind: down };
  }
  return undefined;
}

/** True if this cabinet may publish to the topic. Check it for every PUBLISH. */
export function mayPublish(cabinetId: string, topic: string): boolean {
  return isCabinetId(cabinetId) && UP_KINDS.some((kind) => upTopic(cabinetId, kind) === topic);
}

/** True if this cabinet may subscribe to the filter. Check it for each filter of a SUBSCRIBE. */
export function maySubscribe(cabinetId: string, filter: string): boolean {
  return isCabinetId(cabinetId) && downTopics(cabinetId).includes(filter);
}

/** True if the topic is allowed for this cabinet's last will. Check it at CONNECT. */
export function mayWill(cabinetId: string, topic: string): boolean {
  return isCabinetId(cabinetId) && upTopic(cabinetId, "will") === topic;
}
