// Sample noun of the catalogue: its calls, rows and a working list.
import { endpoint, Nothing } from "@cabinet/contract/kit/endpoint.ts";
import {
  Day,
  Id,
  Nullable,
  OneOf,
  OptionalPhone,
  PersonPhonePart,
  Strict,
  TenantId,
  Timestamp,
} from "@cabinet/contract/kit/fields.ts";
import { PageOf, PageQuery, SumsOf } from "@cabinet/contract/kit/pagination.ts";
import { type Static, Type } from "typebox";
import type { Tone } from "../src/ui/display/tone.rules.ts";
import { type Answer, answer, type ReceivedRequest, refusable } from "./answers.ts";

export const sampleStates: Record<"NORMAL" | "WAITING" | "BROKEN", [text: string, tone: Tone]> = {
  NORMAL: ["正常", "good"],
  WAITING: ["待处理", "waiting"],
  BROKEN: ["故障", "bad"],
};
const State = OneOf(["NORMAL", "WAITING", "BROKEN"], "状态");

export const Sample = Type.Object({
  id: Id,
  tenantName: Type.String(),
  name: Type.String(),
  state: State,
  priceFen: Type.Integer(),
  count: Type.Integer(),
  remark: Type.String(),
  updatedAt: Timestamp,
});
export type Sample = Static<typeof Sample>;

const Name = Type.String({ title: "名称", minLength: 1, maxLength: 12, pattern: "\\S" });
const count = { title: "数量", minimum: 1, maximum: 99 };

export const SampleDraft = Strict({
  name: Name,
  phone: OptionalPhone,
  state: State,
  priceFen: Nullable(Type.Integer({ title: "价格", minimum: 0 })),
  count: Type.Integer(count),
  startsOn: Type.Optional(Day),
  isOn: Type.Boolean({ title: "启用" }),
  remark: Type.String({ title: "备注", maxLength: 20 }),
});

export const sampleContract = {
  list: endpoint({
    method: "GET",
    path: "/catalogue/sample/list",
    access: "signed-in",
    summary: "样品列表",
    query: PageQuery({
      keyword: Type.Optional(Type.String({ title: "名称", maxLength: 64 })),
      code: Type.Optional(Type.Integer({ title: "编号" })),
      phone: Type.Optional(PersonPhonePart),
      state: Type.Optional(State),
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      tenantId: Type.Optional(TenantId),
      sort: Type.Optional(OneOf(["name", "price"])),
      order: Type.Optional(OneOf(["asc", "desc"])),
    }),
    reply: PageOf(Sample),
  }),
  sums: endpoint({
    method: "GET",
    path: "/catalogue/sample/sums",
    access: "signed-in",
    summary: "样品合计",
    query: Strict({}),
    reply: SumsOf({ priceFen: Type.Integer() }),
  }),
  create: endpoint({
    method: "POST",
    path: "/catalogue/sample",
    access: "signed-in",
    risk: "routine",
    summary: "新增样品",
    body: SampleDraft,
    reply: Nothing,
  }),
  act: endpoint({
    method: "POST",
    path: "/catalogue/sample/act",
    access: "signed-in",
    risk: "routine",
    summary: "执行样品的操作",
    once: true,
    reply: Nothing,
  }),
  upload: endpoint({
    method: "POST",
    path: "/catalogue/sample/file",
    access: "signed-in",
    risk: "routine",
    summary: "上传图片",
    bodyForm: "multipart",
    uploads: ["IMAGE"],
    reply: Type.Object({ id: Id, name: Type.String() }),
  }),
};

const stateOf = (index: number) =>
  (["NORMAL", "WAITING", "BROKEN"] as const)[index % 3] ?? "NORMAL";

/** Three pages of ten rows; the last one is not full. */
export const samples: Sample[] = Array.from({ length: 23 }, (_, index) => ({
  id: index + 1,
  tenantName: "晨光物业",
  name: `样品 ${String(index + 1).padStart(2, "0")}`,
  state: stateOf(index),
  priceFen: ((index * 37) % 23) * 150,
  count: index * 4,
  remark: index % 4 === 0 ? "放在三楼电梯旁，需要提前一天联系管理员才能取出" : "",
  updatedAt: new Date(Date.UTC(2026, 10, 21, 4) - index * 7_200_000).toISOString(),
}));

const sortKeys = { name: (row: Sample) => row.id, price: (row: Sample) => row.priceFen };

/** Filters by keyword and state, sorts and pages like a server. */
function findSamples({ query }: ReceivedRequest) {
  const { keyword = "", state, sort, order, page, pageSize } = query;
  const found = samples.filter(
    (row) => row.name.includes(keyword) && (state === undefined || row.state === state),
  );
  const keyOf = sortKeys[sort as keyof typeof sortKeys] ?? sortKeys.name;
  const sign = order === "desc" ? -1 : 1;
  const sorted = found.toSorted((one, other) => sign * (keyOf(one) - keyOf(other)));
  const start = (Number(page) - 1) * Number(pageSize);
  return { list: sorted.slice(start, start + Number(pageSize)), total: found.length };
}

export const workingList: Answer = {
  ...answer(sampleContract.list, findSamples),
  reply: refusable(findSamples),
};
