// Calls for adverts (广告): content, target, schedule, and download progress per cabinet.

import { type Static, Type } from "typebox";
import { endpoint, Nothing, RecordId, StoredFile } from "../../kit/endpoint.ts";
import {
  Id,
  IdParams,
  Nullable,
  nameOf,
  OneOf,
  Strict,
  TenantId,
  Timestamp,
  Uuid,
} from "../../kit/fields.ts";
import { Moved, Step } from "../../kit/move.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { FILE_KINDS } from "../../kit/upload.rules.ts";
import { Side } from "../../vocabulary/hardware.ts";
import { Connectivity } from "../cabinet/cabinet.contract.ts";
import {
  ADVERT_PHASES,
  ADVERT_POSITIONS,
  ADVERT_STATES,
  DOWNLOAD_STATES,
  TARGET_KINDS,
} from "./advert.rules.ts";

const State = OneOf(ADVERT_STATES, "状态");
const Phase = OneOf(ADVERT_PHASES, "投放阶段");
const Position = OneOf(ADVERT_POSITIONS, "位置");
const TargetKindField = OneOf(TARGET_KINDS, "投放范围");
const DownloadStateField = OneOf(DOWNLOAD_STATES, "下载状态");

const DayOf = (title: string) => Nullable(Type.String({ title, format: "date" }));
const ClockTime = (title: string) =>
  Nullable(Type.String({ title, pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" }));

/** Editable fields of an advert. */
export const AdvertDraft = Strict({
  title: nameOf("标题", 1, 40),
  fileId: Type.String({ title: "图片或视频", format: "uuid" }),
  position: Position,
  durationSeconds: Type.Integer({ title: "播放时长", minimum: 3, maximum: 600 }),
  fromDate: DayOf("开始日期"),
  untilDate: DayOf("结束日期"),
  fromTime: ClockTime("每日开始时间"),
  untilTime: ClockTime("每日结束时间"),
  targetKind: TargetKindField,
  /** Ids of stores, cabinets or models, by target kind. */
  targetIds: Type.Array(Id, { title: "投放对象", maxItems: 200, uniqueItems: true }),
  targetSide: Nullable(Side),
});
export type AdvertDraft = Static<typeof AdvertDraft>;

const AdvertFile = named(
  "AdvertFile",
  Type.Object({
    id: Uuid,
    kind: OneOf(FILE_KINDS),
    name: Type.String(),
    sizeBytes: Type.Integer(),
    width: Nullable(Type.Integer()),
    height: Nullable(Type.Integer()),
    durationMs: Nullable(Type.Integer()),
  }),
);
export type AdvertFile = Static<typeof AdvertFile>;

const Downloads = named(
  "AdvertDownloads",
  Type.Object({
    total: Type.Integer({ description: "应投放的设备" }),
    ready: Type.Integer(),
    failed: Type.Integer(),
    /** Offline cabinets among those that are neither READY nor FAILED. */
    unreached: Type.Integer({ description: "设备不在线，尚未收到" }),
  }),
);

export const Advert = named(
  "Advert",
  Type.Object({
    id: Id,
    tenantId: Type.Integer(),
    tenantName: Type.String(),
    title: Type.String(),
    file: AdvertFile,
    position: Position,
    durationSeconds: Type.Integer(),
    sort: Type.Integer(),
    fromDate: Nullable(Type.String()),
    untilDate: Nullable(Type.String()),
    fromTime: Nullable(Type.String()),
    untilTime: Nullable(Type.String()),
    targetKind: TargetKindField,
    targets: Type.Array(Type.Object({ id: Id, name: Type.String() }), {
      description: "门店、设备或型号，按名称排列",
    }),
    targetSide: Nullable(Side),
    state: State,
    phase: Phase,
    downloads: Downloads,
    updatedAt: Timestamp,
  }),
);
export type Advert = Static<typeof Advert>;

export const AdvertDownload = Type.Object({
  cabinetId: Id,
  cabinetName: Type.String(),
  cabinetSn: Type.String(),
  storeName: Nullable(Type.String()),
  connectivity: Connectivity,
  isSupported: Type.Boolean({ description: "设备程序认识广告" }),
  state: DownloadStateField,
  reason: Nullable(Type.String()),
  changedAt: Timestamp,
});
export type AdvertDownload = Static<typeof AdvertDownload>;

export const advertContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/screen-content/list",
    access: "advert:read",
    summary: "广告列表",
    query: PageQuery({
      keyword: Type.Optional(Type.String({ title: "标题", maxLength: 40 })),
      position: Type.Optional(Position),
      state: Type.Optional(State),
      phase: Type.Optional(Phase),
      cabinetId: Type.Optional(Id),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(Advert),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/screen-content/{id}",
    access: "advert:read",
    summary: "广告详情",
    params: IdParams,
    reply: Advert,
  }),
  upload: endpoint({
    method: "POST",
    path: "/admin/v1/screen-content/file",
    access: "advert:write",
    risk: "routine",
    summary: "上传广告图片或视频",
    bodyForm: "multipart",
    uploads: ["IMAGE", "VIDEO"],
    body: Strict({ tenantId: Type.Optional(TenantId) }),
    reply: AdvertFile,
  }),
  file: endpoint({
    method: "GET",
    path: "/admin/v1/screen-content/file/{fileId}",
    access: "advert:read",
    summary: "广告图片或视频",
    params: Strict({ fileId: Uuid }),
    replyForm: "file",
    reply: StoredFile,
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/v1/screen-content/save",
    access: "advert:write",
    risk: "routine",
    summary: "新增广告",
    body: Strict({ ...AdvertDraft.properties, tenantId: Type.Optional(TenantId) }),
    reply: RecordId,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/v1/screen-content/{id}",
    access: "advert:write",
    risk: "routine",
    summary: "编辑广告",
    params: IdParams,
    body: AdvertDraft,
    reply: Nothing,
  }),
  putOn: endpoint({
    method: "PUT",
    path: "/admin/v1/screen-content/on/{id}",
    access: "advert:write",
    risk: "routine",
    summary: "上架广告",
    params: IdParams,
    reply: Nothing,
  }),
  takeOff: endpoint({
    method: "PUT",
    path: "/admin/v1/screen-content/off/{id}",
    access: "advert:write",
    risk: "routine",
    summary: "下架广告",
    params: IdParams,
    reply: Nothing,
  }),
  delete: endpoint({
    method: "DELETE",
    path: "/admin/v1/screen-content/{id}",
    access: "advert:write",
    risk: "data",
    summary: "删除广告",
    params: IdParams,
    reply: Nothing,
  }),
  order: endpoint({
    method: "PUT",
    path: "/admin/v1/screen-content/order/{id}",
    access: "advert:write",
    risk: "routine",
    summary: "调整广告顺序",
    params: IdParams,
    body: Step,
    reply: Moved,
  }),
  downloads: endpoint({
    method: "GET",
    path: "/admin/v1/screen-content/{id}/downloads",
    access: "advert:read",
    summary: "广告在各设备上的下载状态",
    params: IdParams,
    query: PageQuery({ state: Type.Optional(DownloadStateField) }),
    reply: PageOf(AdvertDownload),
  }),
  retry: endpoint({
    method: "POST",
    path: "/admin/v1/screen-content/retry/{id}",
    access: "advert:write",
    risk: "routine",
    summary: "重试下载失败的设备",
    params: IdParams,
    reply: Type.Object({ cabinets: Type.Integer({ description: "重新下发的设备数" }) }),
  }),
};
