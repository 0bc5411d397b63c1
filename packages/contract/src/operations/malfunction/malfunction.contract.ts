// Calls for malfunctions (故障; paths say preservation): list, details and operator actions.

import { type Static, Type } from "typebox";
import { Lifecycle } from "../../fleet/cabinet/cabinet.contract.ts";
import { Command, DoorOpening } from "../../fleet/command/command.contract.ts";
import { COMMAND_STATES } from "../../fleet/command/command.rules.ts";
import { endpoint, Nothing, RecordId, StoredFile } from "../../kit/endpoint.ts";
import {
  EditVersionOrNew,
  Id,
  IdParams,
  idOf,
  Nullable,
  OneOf,
  Reason,
  StoreId,
  Strict,
  TenantId,
  Timestamp,
  Uuid,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { NOTICE_STEPS } from "../../messaging/maintenance-message/maintenance-message.rules.ts";
import { UserType } from "../../vocabulary/account.ts";
import { ADMIN_STATES, DOOR_SIDES, DOOR_STATES } from "../../vocabulary/hardware.rules.ts";
import { CompartmentNo, Side } from "../../vocabulary/hardware.ts";
import { MALFUNCTION_KINDS } from "../../vocabulary/malfunction.rules.ts";
import {
  MALFUNCTION_EVENTS,
  MALFUNCTION_SOURCES,
  MALFUNCTION_STATES,
  MAX_PHOTOS,
  MAX_SLA_MINUTES,
  SEVERITIES,
} from "./malfunction.rules.ts";

const Kind = OneOf(MALFUNCTION_KINDS, "故障类型");
const State = OneOf(MALFUNCTION_STATES, "状态");
const SeverityField = OneOf(SEVERITIES, "级别");
const ofTenant = { tenantId: Type.Optional(TenantId) };

/** Free text field. */
const Words = (title: string, minLength: number, maxLength = 500) =>
  Type.String({ title, minLength, maxLength, ...(minLength > 0 && { pattern: "\\S" }) });
const photoIds = Type.Array(Uuid, { title: "照片", maxItems: MAX_PHOTOS, uniqueItems: true });
const ids = Type.Array(Id, { title: "故障", minItems: 1, maxItems: 100, uniqueItems: true });

export const Malfunction = named(
  "Malfunction",
  Type.Object({
    id: Id,
    tenantId: Type.Integer(),
    tenantName: Type.String(),
    kind: Kind,
    severity: SeverityField,
    state: State,
    source: OneOf(MALFUNCTION_SOURCES),
    cabinetId: Nullable(Id),
    cabinetSn: Nullable(Type.String()),
    cabinetName: Nullable(Type.String()),
    compartmentNo: Nullable(CompartmentNo),
    storeId: Nullable(Id),
    storeName: Nullable(Type.String()),
    description: Type.String(),
    repeatCount: Type.Integer(),
    reporterName: Type.String(),
    assigneeId: Nullable(Id),
    assigneeName: Type.String(),
    isOthers: Type.Boolean({ description: "已派给其他人" }),
    createdAt: Timestamp,
    lastAt: Timestamp,
    respondBy: Nullable(Timestamp),
    resolveBy: Nullable(Timestamp),
    acceptedAt: Nullable(Timestamp),
    resolvedAt: Nullable(Timestamp),
    closedAt: Nullable(Timestamp),
    isOverdue: Type.Boolean({ description: "超过受理或处理时限" }),
    cause: Type.String(),
    measure: Type.String(),
  }),
);
export type Malfunction = Static<typeof Malfunction>;

export const MalfunctionPhoto = named(
  "MalfunctionPhoto",
  Type.Object({
    id: Uuid,
    name: Type.String(),
    width: Nullable(Type.Integer()),
    height: Nullable(Type.Integer()),
  }),
);
export type MalfunctionPhoto = Static<typeof MalfunctionPhoto>;

/** Timeline entry: a change of the malfunction, or a notification about it. */
export const MalfunctionEntry = Type.Object({
  key: Type.String(),
  at: Timestamp,
  kind: OneOf([...MALFUNCTION_EVENTS, "TOLD"]),
  actorName: Type.String({ description: "空：系统" }),
  text: Type.String(),
  toState: Nullable(State),
  photos: Type.Array(MalfunctionPhoto),
  command: Nullable(
    Type.Object({
      id: Uuid,
      state: OneOf(COMMAND_STATES),
      detail: Nullable(Type.String()),
      no: Nullable(CompartmentNo),
      side: Nullable(OneOf(DOOR_SIDES)),
    }),
  ),
});
export type MalfunctionEntry = Static<typeof MalfunctionEntry>;

export const MalfunctionDetail = Type.Object({
  ...Malfunction.properties,
  storeAddress: Nullable(Type.String()),
  longitude: Nullable(Type.Number()),
  latitude: Nullable(Type.Number()),
  mergedIntoId: Nullable(Id),
  /** Open malfunction of the same kind and place; reopening this one is refused while it exists. */
  openInsteadId: Nullable(Id),
  isStillReported: Type.Boolean({ description: "设备仍在上报这一异常" }),
  /** Compartment whose door can be tested. */
  place: Nullable(
    Type.Object({
      isOnline: Type.Boolean(),
      lifecycle: Lifecycle,
      side: Side,
      adminState: Nullable(OneOf(ADMIN_STATES)),
      doorFront: Nullable(OneOf(DOOR_STATES)),
      doorBack: Nullable(OneOf(DOOR_STATES)),
      orderId: Nullable(Id),
    }),
  ),
  /** Cabinets of a store's outage, those still offline first. */
  outage: Type.Array(
    Type.Object({
      cabinetId: Id,
      name: Type.String(),
      sn: Type.String(),
      goneAt: Nullable(Timestamp),
      backAt: Nullable(Timestamp),
      orders: Type.Integer({ description: "进行中的订单" }),
      goods: Type.Integer({ description: "在柜物品" }),
    }),
  ),
  /** Cabinets still offline in an outage; otherwise its cabinet, or its compartment alone. */
  affected: Type.Object({
    cabinets: Type.Integer({ description: "影响的设备" }),
    orders: Type.Integer({ description: "其中进行中的订单" }),
    goods: Type.Integer({ description: "其中在柜物品" }),
    during: Type.Integer({ description: "故障期间涉及的订单，含已结束的" }),
  }),
  /** Notified people, grouped by the moment of the notice, oldest first. */
  notices: Type.Array(
    Type.Object({
      at: Timestamp,
      step: OneOf(NOTICE_STEPS),
      names: Type.Array(Type.String()),
      bySms: Type.Integer({ description: "其中同时发短信的人数" }),
    }),
  ),
  timeline: Type.Array(MalfunctionEntry),
});
export type MalfunctionDetail = Static<typeof MalfunctionDetail>;

export const Assignee = Type.Object({
  id: Id,
  name: Type.String(),
  userType: UserType,
  openCount: Type.Integer({ description: "手上待处理的故障" }),
});
export type Assignee = Static<typeof Assignee>;

export const MalfunctionDraft = Strict({
  cabinetId: idOf("设备"),
  compartmentNo: Nullable(Type.Integer({ title: "格口", minimum: 1, maximum: 999 })),
  kind: Kind,
  severity: SeverityField,
  description: Words("故障现象", 2),
  photoIds,
});
export type MalfunctionDraft = Static<typeof MalfunctionDraft>;

export const ResolveBody = Strict({
  cause: Words("故障原因", 2),
  measure: Words("处理措施", 2),
  photoIds,
  enables: Type.Boolean({ title: "同时启用格口", default: false }),
});

const Terms = Strict({
  respondMinutes: Type.Integer({ title: "受理时限", minimum: 1, maximum: MAX_SLA_MINUTES }),
  resolveMinutes: Type.Integer({ title: "处理时限", minimum: 1, maximum: MAX_SLA_MINUTES }),
});
const allTerms = named(
  "MalfunctionTerms",
  Strict({ SEVERE: Terms, URGENT: Terms, NORMAL: Terms, MINOR: Terms }),
);

/** Filters of the list and of its counts. */
const filters = {
  keyword: Type.Optional(Type.String({ title: "设备编号/名称", maxLength: 64 })),
  kind: Type.Optional(Kind),
  severity: Type.Optional(SeverityField),
  assignee: Type.Optional(
    Type.String({
      title: "处理人",
      pattern: "^(mine|none|mine-or-none|[1-9][0-9]{0,15})$",
      description: "mine 本人；none 未派单；mine-or-none 本人或未派单；或账号编号",
    }),
  ),
  isOverdue: Type.Optional(Type.Boolean({ title: "是否超时" })),
  minMinutes: Type.Optional(
    Type.Integer({
      title: "持续时长",
      minimum: 1,
      maximum: MAX_SLA_MINUTES,
      description: "至少持续的分钟数，待处理的计到现在",
    }),
  ),
  cabinetId: Type.Optional(Id),
  compartmentNo: Type.Optional(CompartmentNo),
  storeId: Type.Optional(StoreId),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  ...ofTenant,
};

export const malfunctionContract = {
  size: endpoint({
    method: "GET",
    path: "/admin/v1/preservation/size",
    access: "signed-in",
    summary: "故障数量；角标统计 CREATED",
    query: Strict({
      status: Type.Optional(OneOf(MALFUNCTION_STATES, "状态")),
      tenantId: Type.Optional(TenantId),
    }),
    reply: Type.Integer(),
  }),
  list: endpoint({
    method: "GET",
    path: "/admin/v1/preservation/list",
    access: "malfunction:read",
    summary: "故障列表",
    query: PageQuery({
      state: Type.Optional(OneOf([...MALFUNCTION_STATES, "OPEN"], "状态")),
      sort: Type.Optional(OneOf(["createdAt", "lastAt", "severity", "due", "lasted"], "排序")),
      order: Type.Optional(OneOf(["asc", "desc"])),
      ...filters,
    }),
    reply: PageOf(Malfunction),
  }),
  counts: endpoint({
    method: "GET",
    path: "/admin/v1/preservation/counts",
    access: "malfunction:read",
    summary: "故障按状态计数",
    query: Strict(filters),
    reply: named(
      "MalfunctionCounts",
      Type.Object({
        CREATED: Type.Integer(),
        ASSIGNED: Type.Integer(),
        PROCESSING: Type.Integer(),
        RESOLVED: Type.Integer(),
        overdue: Type.Integer(),
        mine: Type.Integer({ description: "待处理、由本人处理的，不论处理人的筛选" }),
      }),
    ),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/preservation/{id}",
    access: "malfunction:read",
    summary: "故障详情与处理记录",
    params: IdParams,
    reply: MalfunctionDetail,
  }),
  assignees: endpoint({
    method: "GET",
    path: "/admin/v1/preservation/assignee",
    access: "malfunction:read",
    summary: "可以处理故障的账号",
    query: Strict({
      ids: Type.Optional(
        Type.String({
          title: "故障编号，用逗号分隔：只列出看得到其门店的账号",
          pattern: "^[1-9][0-9]{0,15}(,[1-9][0-9]{0,15}){0,99}$",
        }),
      ),
      ...ofTenant,
    }),
    reply: Type.Array(Assignee),
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/v1/preservation",
    access: "malfunction:write",
    risk: "routine",
    summary: "新建故障",
    body: MalfunctionDraft,
    once: true,
    reply: RecordId,
  }),
  accept: endpoint({
    method: "PUT",
    path: "/admin/v1/preservation/accept",
    access: "malfunction:write",
    risk: "routine",
    summary: "受理故障",
    body: Strict({ ids }),
    reply: Nothing,
  }),
  assign: endpoint({
    method: "PUT",
    path: "/admin/v1/preservation/assign",
    access: "malfunction:assign",
    risk: "routine",
    summary: "派单或转派故障",
    body: Strict({
      ids,
      operatorId: idOf("处理人"),
      note: Words("派单说明", 0, 200),
    }),
    reply: Nothing,
  }),
  note: endpoint({
    method: "POST",
    path: "/admin/v1/preservation/{id}/note",
    access: "malfunction:write",
    risk: "routine",
    summary: "添加故障处理记录",
    params: IdParams,
    body: Strict({ text: Words("记录", 2), photoIds }),
    once: true,
    reply: Nothing,
  }),
  test: endpoint({
    method: "POST",
    path: "/admin/v1/preservation/{id}/test",
    access: "command:open",
    risk: "routine",
    pressed: true,
    summary: "故障开门测试",
    params: IdParams,
    body: DoorOpening,
    once: true,
    reply: Command,
  }),
  resolve: endpoint({
    method: "PUT",
    path: "/admin/v1/preservation/{id}/resolve",
    access: "malfunction:write",
    risk: "routine",
    summary: "完成故障处理",
    params: IdParams,
    body: ResolveBody,
    reply: Nothing,
  }),
  close: endpoint({
    method: "PUT",
    path: "/admin/v1/preservation/close",
    access: "malfunction:write",
    risk: "routine",
    summary: "关闭故障",
    body: Strict({ ids }),
    reply: Nothing,
  }),
  ignore: endpoint({
    method: "PUT",
    path: "/admin/v1/preservation/ignore",
    access: "malfunction:write",
    risk: "routine",
    summary: "故障标记为误报",
    body: Strict({ ids, reason: Reason }),
    reply: Nothing,
  }),
  reopen: endpoint({
    method: "PUT",
    path: "/admin/v1/preservation/{id}/reopen",
    access: "malfunction:write",
    risk: "routine",
    summary: "重开故障",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  setSeverity: endpoint({
    method: "PUT",
    path: "/admin/v1/preservation/{id}/severity",
    access: "malfunction:write",
    risk: "routine",
    summary: "调整故障级别",
    params: IdParams,
    body: Strict({ severity: SeverityField, reason: Reason }),
    reply: Nothing,
  }),
  uploadPhoto: endpoint({
    method: "POST",
    path: "/admin/v1/preservation/photo",
    access: "malfunction:write",
    risk: "routine",
    summary: "上传故障照片",
    bodyForm: "multipart",
    uploads: ["IMAGE"],
    body: Strict(ofTenant),
    reply: MalfunctionPhoto,
  }),
  photo: endpoint({
    method: "GET",
    path: "/admin/v1/preservation/photo/{fileId}",
    access: "malfunction:read",
    summary: "故障照片",
    params: Strict({ fileId: Uuid }),
    replyForm: "file",
    reply: StoredFile,
  }),
  sla: endpoint({
    method: "GET",
    path: "/admin/v1/preservation/sla",
    access: "malfunction:read",
    summary: "故障处理时限",
    query: Strict(ofTenant),
    reply: Type.Object({ terms: allTerms, editVersion: Type.Integer(), editedBy: Type.String() }),
  }),
  saveSla: endpoint({
    method: "PUT",
    path: "/admin/v1/preservation/sla",
    access: "malfunction:assign",
    risk: "data",
    summary: "修改故障处理时限",
    body: Strict({
      terms: allTerms,
      editVersion: EditVersionOrNew,
      ...ofTenant,
    }),
    reply: Nothing,
  }),
};
