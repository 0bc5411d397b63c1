// Topics that a cabinet may publish and subscribe to, for every broker: its own by name, nothing retained.
import { MAX_FRAME_BYTES, mayPublish, maySubscribe, mayWill } from "@cabinet/link";

export interface PublishRequest {
  topic: string;
  retain?: boolean | undefined;
  qos?: number | undefined;
  payload?: { readonly length: number } | undefined;
}

export function isPublishGranted(sn: string, { topic, ...message }: PublishRequest): boolean {
  const { retain = false, qos = 0, payload } = message;
  const isShort = (payload?.length ?? 0) <= MAX_FRAME_BYTES;
  return mayPublish(sn, topic) && !retain && qos < 2 && isShort;
}

/** Accepts a CONNECT with a clean session and no last will but the cabinet's own. */
export function isConnectGranted(
  sn: string,
  connect: { clean?: boolean | undefined; will?: PublishRequest | undefined },
): boolean {
  const { clean, will } = connect;
  return clean === true && (!will || (mayWill(sn, will.topic) && isPublishGranted(sn, will)));
}

export function isSubscribeGranted(sn: string, filter: string): boolean {
  return maySubscribe(sn, filter);
}

/** ACL check in an outside broker's format: `retain` comes as a boolean or as text. */
export function isGrantedByAcl(request: {
  clientId: string;
  action: "publish" | "subscribe";
  topic: string;
  retain?: boolean | string | undefined;
}): boolean {
  const { clientId, action, topic } = request;
  const retain = request.retain === true || request.retain === "true" || request.retain === "1";
  return action === "publish"
    ? isPublishGranted(clientId, { topic, retain })
    : isSubscribeGranted(clientId, topic);
}
