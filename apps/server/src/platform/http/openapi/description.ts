// Description of an operation from the facts of its call. Each sentence is a paragraph, so that it is translated once for all calls.
import {
  type Caller,
  callerOf,
  type EndpointSpec,
  isReading,
} from "@cabinet/contract/kit/endpoint.ts";
import { PRESS_HEADER, PRESS_SECONDS } from "@cabinet/contract/kit/press.rules.ts";

export function descriptionOf(spec: EndpointSpec): string {
  return [
    accessSentence(spec),
    isReading(spec) && "只读取，可以重试。",
    spec.once && "幂等：同一个 Idempotency-Key 只执行一次，重复时返回第一次的结果。",
    spec.pressed && `操作的人按下之后超过 ${PRESS_SECONDS} 秒不再执行，见请求头 ${PRESS_HEADER}。`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

const openTo: Record<Caller, string> = {
  partner: "不需要签名。",
  app: "不需要登录。",
  device: "柜机调用，不需要登录。",
  console: "不需要登录。",
};

function accessSentence(spec: EndpointSpec): string {
  const { access, scope } = spec;
  if (access === "public") return openTo[callerOf(spec)];
  if (access === "end-user") return "小程序用户登录之后调用。";
  if (access === "partner") {
    return scope ? `应用签名之后调用，须有权限 ${scope}。` : "应用签名之后调用，不需要权限。";
  }
  if (access === "platform") return "平台的后台账号登录之后调用。";
  const needed = access === "signed-in" ? "" : `，须有权限 ${access}`;
  return `后台账号登录之后调用${needed}。`;
}
