// API reference: nouns get the titles of the document, and schemas become table rows.
import type { Caller } from "@cabinet/contract/kit/endpoint.ts";
import { describe, expect, it } from "vitest";
import { accessText, fieldsOf, readDocument, type Schema, searchCalls } from "./api.rules.ts";

describe("schemas as rows", () => {
  const rows = (schema: Schema, shared = {}) =>
    fieldsOf(schema, shared).map(({ name, depth, type, isRequired, note }) =>
      [" ".repeat(depth) + name, type, isRequired ? "必有" : "", note].join("|"),
    );

  it("show type, presence, limits and choices", () => {
    expect(
      rows({
        type: "object",
        required: ["size"],
        properties: {
          size: { enum: ["S", "M"], title: "大小" },
          note: { type: "string", maxLength: 60, default: "" },
          at: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
          count: { type: ["integer", "null"], minimum: 1 },
          one: { anyOf: [{ const: "A" }, { const: "B" }] },
          state: { type: "string", "x-extensible-enum": ["STORED", "OVERDUE"] },
        },
      }),
    ).toEqual([
      "size|选项|必有|大小；S · M",
      'note|文字||长度 ≤ 60；默认 ""',
      "at|时间，可为空||",
      "count|整数，可为空||≥ 1",
      "one|选项||A · B",
      "state|选项||STORED · OVERDUE",
    ]);
  });

  it("expand lists, shared schemas and nullable schemas", () => {
    const shared = { Child: { type: "object", properties: { id: { type: "integer" } } } };
    expect(
      rows(
        {
          type: "object",
          properties: {
            list: { type: "array", items: { $ref: "#/components/schemas/Child" } },
            maybe: {
              anyOf: [{ type: "object", properties: { x: { type: "boolean" } } }, { type: "null" }],
            },
          },
        },
        shared,
      ),
    ).toEqual(["list|对象的列表||", " id|整数||", "maybe|对象，可为空||", " x|是否||"]);
    const described = { $ref: "#/components/schemas/Child", description: "其中一个" };
    expect(rows({ type: "object", properties: { child: described } }, shared)).toEqual([
      "child|对象||其中一个",
      " id|整数||",
    ]);
    expect(rows({ type: "array", items: { type: "string" } })).toEqual([
      "（整体）|文字的列表|必有|",
    ]);
    expect(rows({ type: "null" })).toEqual([]);
  });
});

it("accessText: states who may make a call", () => {
  expect(accessText("partner", "order:open")).toBe("签名，权限 order:open");
  expect(accessText("order:read")).toBe("后台账号登录，权限 order:read");
  expect(accessText("public")).toBe("不需要登录");
});

it("readDocument: fields of an answer that the document refers to", () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const operation = {
    ...{ operationId: "open-api.order", tags: ["open-api"], summary: "查询订单" },
    ...{ "x-access": "partner", "x-caller": "partner" as const, parameters: [] },
    responses: { 200: { content: { "application/json": { schema: ref("OrderAnswer") } } } },
  };
  const schemas = {
    OrderAnswer: { type: "object", properties: { data: ref("Order") } },
    Order: { type: "object", properties: { id: { type: "integer" } } },
  };
  const [audience] = readDocument({
    ...{ tags: [], components: { schemas, responses: {} } },
    paths: { "/open/v1/order/{id}": { get: operation } },
  });
  expect(audience?.groups[0]?.calls[0]?.reply.map(({ name }) => name)).toEqual(["id"]);
});

it("searchCalls: finds calls by summary and path", () => {
  const call = (id: string, path: string, summary: string, caller: Caller) => ({
    [path]: {
      get: {
        ...{ operationId: id, tags: ["order"], summary, "x-access": "public", "x-caller": caller },
        parameters: [],
        responses: {},
      },
    },
  });
  const audiences = readDocument({
    tags: [{ name: "order", description: "订单" }],
    components: { schemas: {}, responses: {} },
    paths: {
      ...call("order.list", "/api/admin/v1/order/list", "订单列表", "console"),
      ...call("openApi.order", "/open/v1/order/{id}", "查询订单", "partner"),
    },
  });
  expect(audiences.map(({ title }) => title)).toEqual(["开放接口", "控制台接口"]);
  expect(audiences[1]?.groups.map(({ title }) => title)).toEqual(["订单"]);
  expect(searchCalls(audiences, "订单 admin").map(({ id }) => id)).toEqual(["order.list"]);
  expect(searchCalls(audiences, "")).toEqual([]);
});
