// The OpenAPI 3.1 document, generated from the same contracts as the server itself: whole, or of one kind of caller.
import {
  type Caller,
  type Contract,
  callerOf,
  Refused,
  urlPath,
} from "@cabinet/contract/kit/endpoint.ts";
import { version } from "../../version.ts";
import { deviceFileOperation } from "./device-file.ts";
import { NamedSchemas } from "./named-schemas.ts";
import { operation } from "./operation.ts";
import { Responses } from "./responses.ts";
import type { Schema } from "./sample.ts";
import { webhooks } from "./webhooks.ts";

interface Shared {
  $id: string;
}

export interface DocumentSource {
  contracts: Record<string, Contract>;
  titles: Record<string, string>;
  shared: readonly object[];
}

const callerTitles: Record<Caller, string> = {
  partner: "开放接口",
  app: "小程序接口",
  device: "设备接口",
  console: "控制台接口",
};

const securitySchemes = {
  console: {
    ...{ type: "apiKey", in: "header", name: "auth-token" },
    description: "后台账号：登录得到的 token。可以带请求头 tenantId，与登录账号的租户不同则拒绝",
  },
  app: {
    ...{ type: "apiKey", in: "header", name: "app-token" },
    description: "小程序用户：登录得到的 token",
  },
  partner: {
    ...{ type: "http", scheme: "CAB1-HMAC-SHA256" },
    description: "第三方应用：对每个请求签名，见 /doc/sdk",
  },
  device: {
    ...{ type: "http", scheme: "Cabinet" },
    description: "柜机：用自己的密钥证明，见 /doc/sdk 的“指令与上报 › 文件”",
  },
};

/** Schemas are JSON Schema, like those of the contract. Without `caller`: all calls. */
export function openApiDocument({ contracts, titles, shared }: DocumentSource, caller?: Caller) {
  const known = new Map((shared as Shared[]).map(({ $id, ...schema }) => [$id, schema as Schema]));
  const calls = Object.values(contracts).flatMap((contract) => Object.values(contract));
  const named = new NamedSchemas(calls.map(({ reply }) => reply));
  named.answer(Refused);
  const responses = new Responses();
  const paths: Record<string, Record<string, unknown>> = {};
  const nouns = new Set<string>();
  for (const [noun, contract] of Object.entries(contracts)) {
    for (const [key, spec] of Object.entries(contract)) {
      if (caller && callerOf(spec) !== caller) continue;
      nouns.add(noun);
      const path = urlPath(spec);
      paths[path] ??= {};
      paths[path][spec.method.toLowerCase()] = operation({
        ...{ noun, key, spec, responses, named },
        shared: known,
      });
    }
  }
  const used = [...known].filter(([name]) => JSON.stringify(paths).includes(`"${name}#"`));
  const isOf = (one: Caller) => !caller || caller === one;
  if (isOf("device")) Object.assign(paths, deviceFileOperation(responses));
  const document = {
    openapi: "3.1.0",
    info: {
      title: caller ? `智能存取系统：${callerTitles[caller]}` : "智能存取系统",
      version,
      description: "由与服务器同一份契约生成。说明与示例见 /doc/sdk 与 /doc/api",
      contact: { name: "平台运营方" },
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: "/", description: "本平台：与这份文件同一个域名" }],
    tags: Object.entries(titles)
      .filter(([name]) => nouns.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    ...(isOf("partner") && { webhooks: webhooks(named) }),
    components: {
      schemas: {
        ...Object.fromEntries(used),
        ...named.components(),
      },
      responses: responses.components(),
      securitySchemes: Object.fromEntries(
        Object.entries(securitySchemes).filter(([name]) => isOf(name as Caller)),
      ),
    },
  };
  // The contract names shared schemas as Fastify does: `Name#`.
  return JSON.parse(
    JSON.stringify(document).replace(/"\$ref":"(\w+)#"/g, '"$ref":"#/components/schemas/$1"'),
  );
}
