// Device calls over HTTP: those of cabinets, and the hooks of an external MQTT broker.
import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";

export const deviceContract = {
  challenge: endpoint({
    method: "GET",
    base: "",
    path: "/device/v1/challenge",
    access: "public",
    summary: "设备连接前取一次性随机数",
    reply: Type.Object({
      nonce: Type.String(),
      serverTime: Type.Integer({ description: "服务器时间，毫秒" }),
      exp: Type.Integer({ description: "有效秒数" }),
    }),
  }),
};

/**
 * File assigned to a cabinet, as plain bytes; authorised by the cabinet's secret (cabinet-link
 * §9).
 */
export const DEVICE_FILE_PATH = "/device/v1/file/:id";

/**
 * Hooks of an external broker in EMQX's format: plain JSON, no envelope. They exist only where MQTT_URL
 * is set, and answer only unproxied callers on loopback or a private network. `ignore` leaves
 * clients that are not cabinets to the broker's own rules.
 */
export const BROKER_AUTH_PATH = "/device/v1/broker/auth";
export const BROKER_ACL_PATH = "/device/v1/broker/acl";

export const BrokerAuthRequest = Type.Object({
  clientid: Type.String({ maxLength: 256 }),
  username: Type.Optional(Type.String({ maxLength: 256 })),
  password: Type.Optional(Type.String({ maxLength: 512 })),
  peerhost: Type.Optional(Type.String({ maxLength: 64 })),
});
export type BrokerAuthRequest = Static<typeof BrokerAuthRequest>;

export const BrokerAclRequest = Type.Object({
  clientid: Type.String({ maxLength: 256 }),
  username: Type.Optional(Type.String({ maxLength: 256 })),
  action: Type.Union([Type.Literal("publish"), Type.Literal("subscribe")]),
  topic: Type.String({ maxLength: 1024 }),
  retain: Type.Optional(Type.Union([Type.Boolean(), Type.String({ maxLength: 5 })])),
});
export type BrokerAclRequest = Static<typeof BrokerAclRequest>;

export const BROKER_RESULTS = ["allow", "deny", "ignore"] as const;
export type BrokerResult = (typeof BROKER_RESULTS)[number];
