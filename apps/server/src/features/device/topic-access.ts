// What a cabinet may publish and subscribe: its own topics by name, nothing retained. For every broker.
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

/** Of a CONNECT: a clean session, and no last will but the cabinet's own. */
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

/** As an outside broker asks: it tells `retain` as a boolean or as its text. */
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
