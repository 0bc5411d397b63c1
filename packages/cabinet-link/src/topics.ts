// Topics of the cabinet link and who may use them: exact matches only, no wildcards.
import { isCabinetId } from "./keys.ts";

export const UP_KINDS = ["birth", "state", "evt", "ack", "hb", "will"] as const;
export const DOWN_KINDS = ["hello", "cmd", "cfg", "job"] as const;

/** What a cabinet publishes. */
export type UpKind = (typeof UP_KINDS)[number];
/** What a cabinet subscribes to. */
export type DownKind = (typeof DOWN_KINDS)[number];

export type ParsedTopic =
  | { readonly cabinetId: string; readonly direction: "up"; readonly kind: UpKind }
  | { readonly cabinetId: string; readonly direction: "dn"; readonly kind: DownKind };

/** Filter for a gateway that is a client of a broker cluster: every cabinet's reports. */
export const ALL_UP_FILTER = "c1/+/up/+";

/** `c1/{cabinetId}/up/{kind}` */
export function upTopic(cabinetId: string, kind: UpKind): string {
  return `c1/${cabinetId}/up/${kind}`;
}

/** `c1/{cabinetId}/dn/{kind}` */
export function downTopic(cabinetId: string, kind: DownKind): string {
  return `c1/${cabinetId}/dn/${kind}`;
}

/** The four topics a cabinet subscribes to, each by its full name. */
export function downTopics(cabinetId: string): string[] {
  return DOWN_KINDS.map((kind) => downTopic(cabinetId, kind));
}

/** QoS of a kind: 0 for heartbeats, 1 for all else. Nothing is ever retained. */
export function qosOf(kind: UpKind | DownKind): 0 | 1 {
  return kind === "hb" ? 0 : 1;
}

/** The parts of a topic name; `undefined` for anything that is not exactly one of ours. */
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

/** May this cabinet publish there? Check it for every PUBLISH. */
export function mayPublish(cabinetId: string, topic: string): boolean {
  return isCabinetId(cabinetId) && UP_KINDS.some((kind) => upTopic(cabinetId, kind) === topic);
}

/** May this cabinet subscribe to this filter? Check it for each filter of a SUBSCRIBE. */
export function maySubscribe(cabinetId: string, filter: string): boolean {
  return isCabinetId(cabinetId) && downTopics(cabinetId).includes(filter);
}

/** May this be the topic of this cabinet's last will? Check it at CONNECT. */
export function mayWill(cabinetId: string, topic: string): boolean {
  return isCabinetId(cabinetId) && upTopic(cabinetId, "will") === topic;
}
