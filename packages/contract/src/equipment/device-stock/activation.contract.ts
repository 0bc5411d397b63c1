// Call that exchanges an activation code for a cabinet's secret.
import { Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import { Strict } from "../../kit/fields.ts";
import { SN_PATTERN } from "../../vocabulary/hardware.rules.ts";
import { Side } from "../../vocabulary/hardware.ts";

export const activationContract = {
  activate: endpoint({
    method: "POST",
    base: "",
    path: "/device/v1/activate",
    access: "public",
    summary: "设备凭激活码领取密钥；应答丢失时用同一凭证再次领取",
    body: Strict({
      sn: Type.String({ title: "设备编号", pattern: SN_PATTERN }),
      code: Type.String({ title: "激活码", minLength: 1, maxLength: 64, "x-text": "code" }),
      claim: Type.String({ title: "凭证", pattern: "^[A-Za-z0-9_-]{22}$" }),
    }),
    reply: Type.Object({
      kid: Type.String(),
      secret: Type.String({ description: "32 字节，base64url" }),
      serverTime: Type.Integer({ description: "服务器时间，毫秒" }),
      mqtt: Type.String({ description: "消息服务地址，如 mqtt://127.0.0.1:1883" }),
      side: Side,
      compartments: Type.Array(Type.Object({ no: Type.Integer(), boardAddress: Type.String() })),
    }),
  }),
};
