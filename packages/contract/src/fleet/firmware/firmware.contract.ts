// Calls for firmware (固件): images signed by the maker and released by the platform.

import { type Static, Type } from "typebox";
import { endpoint, Nothing, RecordId } from "../../kit/endpoint.ts";
import {
  Id,
  IdParams,
  Nullable,
  OneOf,
  Reason,
  Strict,
  Timestamp,
  Uuid,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { FIRMWARE_STATES, VERSION_PATTERN } from "./firmware.rules.ts";

const versionOf = (title: string) =>
  Type.String({ title, pattern: VERSION_PATTERN, minLength: 1, maxLength: 40 });

export const Firmware = named(
  "Firmware",
  Type.Object({
    id: Id,
    version: Type.String(),
    minVersion: Type.String(),
    models: Type.Array(Type.Object({ id: Id, name: Type.String() })),
    notes: Type.String(),
    fileName: Type.String(),
    sizeBytes: Type.Integer(),
    sha256: Type.String(),
    signature: Type.String(),
    state: OneOf(FIRMWARE_STATES),
    withdrawnReason: Nullable(Type.String()),
    createdBy: Type.String(),
    createdAt: Timestamp,
    releasedAt: Nullable(Timestamp),
    withdrawnAt: Nullable(Timestamp),
    /**
     * Cabinets of the image's models within the account's stores: all, and those that run this
     * version.
     */
    cabinetCount: Type.Integer(),
    runningCount: Type.Integer(),
  }),
);
export type Firmware = Static<typeof Firmware>;

export const FirmwareFile = Type.Object({
  fileId: Uuid,
  name: Type.String(),
  sizeBytes: Type.Integer(),
  sha256: Type.String(),
});
export type FirmwareFile = Static<typeof FirmwareFile>;

const words = {
  minVersion: versionOf("最低版本"),
  notes: Type.String({ title: "更新说明", maxLength: 2000 }),
};

export const NewFirmware = Strict({
  fileId: Type.String({ title: "固件文件", format: "uuid" }),
  version: versionOf("版本号"),
  modelIds: Type.Array(Id, { title: "适用型号", minItems: 1, maxItems: 50, uniqueItems: true }),
  ...words,
  signature: Type.String({ title: "厂家签名", pattern: "^[A-Za-z0-9_-]{86}$", minLength: 1 }),
});

export const FirmwareWords = Strict(words);

export const MakerKey = Type.Object({
  modelId: Id,
  modelName: Type.String(),
  publicKey: Nullable(Type.String()),
});
export type MakerKey = Static<typeof MakerKey>;

const filters = {
  keyword: Type.Optional(Type.String({ title: "版本/说明", maxLength: 64 })),
  modelId: Type.Optional(Id),
};

export const firmwareContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/firmware/list",
    access: "platform",
    summary: "固件列表",
    query: PageQuery({
      ...filters,
      state: Type.Optional(OneOf(FIRMWARE_STATES, "状态")),
    }),
    reply: PageOf(Firmware),
  }),
  released: endpoint({
    method: "GET",
    path: "/admin/v1/firmware/released/list",
    access: "rollout:read",
    summary: "可以下发的固件",
    query: PageQuery(filters),
    reply: PageOf(Firmware),
  }),
  upload: endpoint({
    method: "POST",
    path: "/admin/v1/firmware/file",
    access: "platform",
    risk: "data",
    summary: "上传固件文件",
    bodyForm: "multipart",
    uploads: ["FIRMWARE"],
    body: Strict({}),
    reply: FirmwareFile,
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/v1/firmware",
    access: "platform",
    risk: "data",
    summary: "登记固件",
    body: NewFirmware,
    reply: RecordId,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/v1/firmware/{id}",
    access: "platform",
    risk: "data",
    summary: "修改固件说明",
    params: IdParams,
    body: FirmwareWords,
    reply: Nothing,
  }),
  release: endpoint({
    method: "PUT",
    path: "/admin/v1/firmware/release/{id}",
    access: "platform",
    risk: "trust",
    summary: "发布固件",
    params: IdParams,
    reply: Nothing,
  }),
  withdraw: endpoint({
    method: "PUT",
    path: "/admin/v1/firmware/withdraw/{id}",
    access: "platform",
    risk: "data",
    summary: "撤回固件",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Type.Object({ stopped: Type.Integer({ description: "因此停止的下发任务数" }) }),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/admin/v1/firmware/{id}",
    access: "platform",
    risk: "data",
    summary: "删除固件草稿",
    params: IdParams,
    reply: Nothing,
  }),
  makerKeys: endpoint({
    method: "GET",
    path: "/admin/v1/firmware/maker-key/list",
    access: "platform",
    summary: "各型号的厂家公钥",
    reply: Type.Array(MakerKey),
  }),
  saveMakerKey: endpoint({
    method: "PUT",
    path: "/admin/v1/firmware/maker-key/{modelId}",
    access: "platform",
    risk: "trust",
    summary: "登记厂家公钥",
    params: Strict({ modelId: Id }),
    body: Strict({
      publicKey: Type.String({ title: "厂家公钥", minLength: 1, maxLength: 500 }),
      reason: Reason,
    }),
    reply: Nothing,
  }),
};
