// One call of the contract as an operation of the API document.
import {
  callerOf,
  type EndpointSpec,
  IDEMPOTENCY_DAYS,
  Success,
} from "@cabinet/contract/kit/endpoint.ts";
import {
  PRESS_HEADER,
  PRESS_SECONDS,
  SERVER_TIME_HEADER,
} from "@cabinet/contract/kit/press.rules.ts";
import { refusalsOf } from "@cabinet/contract/refusals.ts";
import { descriptionOf } from "./description.ts";
import type { NamedSchemas } from "./named-schemas.ts";
import {
  PARTNER_HEADERS,
  REPLAYED_HEADERS,
  type Responses,
  refusalSample,
  refusedWith,
} from "./responses.ts";
import { type Schema, sampleOf } from "./sample.ts";

interface OperationSource {
  noun: string;
  key: string;
  spec: EndpointSpec;
  responses: Responses;
  named: NamedSchemas;
  shared: ReadonlyMap<string, Schema>;
}

export function operation({ noun, key, spec, responses, named, shared }: OperationSource) {
  const name = `${noun}.${key}`;
  const refusals = refusalsOf(name, spec);
  const withSuccess = refusals.get(200) ?? [];
  refusals.delete(200);
  const sample = (schema: object) => sampleOf(schema as Schema, shared);
  const success = Success(spec.reply);
  const refused = withSuccess[0];
  return {
    operationId: name,
    tags: [noun],
    summary: spec.summary,
    description: descriptionOf(spec),
    "x-access": spec.access,
    "x-caller": callerOf(spec),
    ...(spec.scope && { "x-scope": spec.scope }),
    security: spec.access === "public" ? [] : [{ [callerOf(spec)]: [] }],
    parameters: [
      ...parameters("path", spec, named, sample),
      ...parameters("query", spec, named, sample),
      ...captchaHeader(spec),
      ...onceHeader(spec),
      ...pressHeader(spec),
    ],
    ...(spec.body && {
      requestBody: {
        required: true,
        content: {
          [medias[spec.bodyForm ?? "json"]]: {
            schema: named.request(withFile(spec)),
            example: sample(withFile(spec)),
          },
        },
      },
    }),
    responses: {
      200: {
        description: withSuccess.length > 0 ? "code 0 成功，code 1 拒绝" : "成功",
        ...((spec.access === "partner" || spec.once) && {
          headers: {
            ...(spec.access === "partner" && PARTNER_HEADERS),
            ...(spec.once && REPLAYED_HEADERS),
          },
        }),
        content: {
          ...(spec.replyForm === "file" && {
            "application/octet-stream": { schema: { type: "string", format: "binary" } },
          }),
          ...((spec.replyForm !== "file" || refused) && {
            "application/json": {
              schema: bothOf(spec, named.answer(success), refused && refusedWith(withSuccess)),
              examples: {
                ...(spec.replyForm !== "file" && {
                  success: { summary: "成功", value: sample(success) },
                }),
                ...(refused && { refused: { summary: "拒绝", value: refusalSample(refused) } }),
              },
            },
          }),
        },
      },
      ...Object.fromEntries(
        [...refusals].map(([status, codes]) => [status, responses.refer(status, codes)]),
      ),
    },
  };
}

function bothOf({ replyForm }: EndpointSpec, success: object, refused: object | undefined) {
  if (replyForm === "file") return refused;
  return refused ? { oneOf: [success, refused] } : success;
}

const medias = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
} as const;

/** An upload has its file beside its fields. */
function withFile({ body, bodyForm }: EndpointSpec): Schema {
  const schema = body as Schema;
  if (bodyForm !== "multipart") return schema;
  const properties = { ...schema.properties, file: { type: "string", format: "binary" } };
  return { ...schema, properties, required: [...(schema.required ?? []), "file"] };
}

function captchaHeader({ needsCaptcha }: EndpointSpec) {
  return needsCaptcha
    ? [
        {
          ...{ name: "captcha-verification", in: "header", required: needsCaptcha === "always" },
          description:
            "人机验证的答案：取 /api/auth/captcha 的题目，解出后把 {challenge, solution} 的 JSON 做 base64；一题用一次",
          schema: { type: "string" },
          example: "eyJjaGFsbGVuZ2UiOnt9LCJzb2x1dGlvbiI6e319",
        },
      ]
    : [];
}

function onceHeader({ once, access }: EndpointSpec) {
  const schema = { type: "string", minLength: 1, maxLength: 128, pattern: "^[\\x21-\\x7e]+$" };
  const repeated = `同一次操作重复提交时使用相同的值：只生效一次，返回第一次的结果；保留 ${IDEMPOTENCY_DAYS} 天`;
  const description =
    once === "always" ? `${repeated}。不带时，1 分钟内内容相同的请求视为重复提交` : repeated;
  return once
    ? [
        {
          ...{ name: "Idempotency-Key", in: "header", required: access === "partner" },
          ...{ description, schema, example: "5f0a3c1e-order-SF1001" },
        },
      ]
    : [];
}

function pressHeader({ pressed }: EndpointSpec) {
  return pressed
    ? [
        {
          ...{ name: PRESS_HEADER, in: "header", required: false },
          description: `操作的人按下按钮的时间：服务器时钟的 Unix 毫秒（按响应里的 ${SERVER_TIME_HEADER} 换算），重试时不变。超过 ${PRESS_SECONDS} 秒的拒绝，箱门也不会在那之后打开。不带时按收到的时间算`,
          schema: { type: "integer", minimum: 0 },
          example: 1_796_000_000_000,
        },
      ]
    : [];
}

function parameters(
  place: "path" | "query",
  spec: EndpointSpec,
  named: NamedSchemas,
  sample: (schema: object) => unknown,
) {
  const given = (place === "path" ? spec.params : spec.query) as Schema | undefined;
  const schema = given && named.request(given);
  const examples = (given ? sample(given) : {}) as Record<string, unknown>;
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === "path" || (schema?.required?.includes(name) ?? false),
    schema: field,
    example: examples[name],
  }));
}
