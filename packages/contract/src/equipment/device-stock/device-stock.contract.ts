// Calls for the stock of new devices (新设备): import, activation codes, assignment to tenants.

import { type Static, Type } from "typebox";
import { Connectivity } from "../../fleet/cabinet/cabinet.contract.ts";
import { ChangedCount, endpoint, Nothing } from "../../kit/endpoint.ts";
import {
  Id,
  IdParams,
  ModelId,
  Nullable,
  OneOf,
  Reason,
  Strict,
  TenantId,
  Timestamp,
  Uuid,
} from "../../kit/fields.ts";
import { IMPORT_MODES, LINE_RESULTS } from "../../kit/import.rules.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { SN_PATTERN } from "../../vocabulary/hardware.rules.ts";
import {
  CODE_STATES,
  MAX_IMPORT_LINES,
  STOCK_EVENT_KINDS,
  STOCK_STATES,
} from "./device-stock.rules.ts";

const StockState = OneOf(STOCK_STATES, "状态");
const Sn = Type.String({ title: "设备编号", minLength: 8, maxLength: 32, pattern: SN_PATTERN });
const Batch = Type.String({ title: "批次", maxLength: 40 });
const Remark = Type.String({ title: "备注", maxLength: 200 });

export const DeviceStock = Type.Object({
  id: Id,
  sn: Type.String(),
  modelId: Id,
  modelName: Type.String(),
  batch: Type.String(),
  remark: Type.String(),
  state: StockState,
  importedAt: Timestamp,
  importedBy: Type.String(),
  tenantId: Nullable(Type.Integer()),
  tenantName: Nullable(Type.String()),
  assignedAt: Nullable(Timestamp),
  cabinetId: Nullable(Id),
  cabinetName: Nullable(Type.String()),
  connectivity: Nullable(Connectivity),
  codeState: OneOf(CODE_STATES, "激活码"),
  codeExpiresAt: Nullable(Timestamp),
  activatedAt: Nullable(Timestamp),
  firstConnectedAt: Nullable(Timestamp),
});
export type DeviceStock = Static<typeof DeviceStock>;

export const DeviceStockEvent = Type.Object({
  id: Id,
  at: Timestamp,
  kind: OneOf(STOCK_EVENT_KINDS),
  actorName: Type.String(),
  detail: Type.String(),
});
export type DeviceStockEvent = Static<typeof DeviceStockEvent>;

/** Issued activation code; returned only once. */
export const IssuedCode = named(
  "IssuedCode",
  Type.Object({
    sn: Type.String(),
    modelName: Type.String(),
    batch: Type.String(),
    activationCode: Type.String(),
    codeExpiresAt: Timestamp,
  }),
);
export type IssuedCode = Static<typeof IssuedCode>;

export const NewDevice = Strict({
  sn: Sn,
  modelId: ModelId,
  batch: Type.Optional(Batch),
  remark: Type.Optional(Remark),
});

export const DeviceChange = Strict({
  modelId: ModelId,
  batch: Type.Optional(Batch),
  remark: Type.Optional(Remark),
});

/** Row of the import file; validated row by row with messages instead of a schema error. */
const ImportLine = Strict({
  line: Type.Integer({ title: "行号", minimum: 1, maximum: 1_048_576 }),
  sn: Type.String({ title: "设备编号", maxLength: 200 }),
  model: Type.String({ title: "型号", maxLength: 200 }),
  batch: Type.String({ title: "批次", maxLength: 500 }),
  remark: Type.String({ title: "备注", maxLength: 1000 }),
});

const ImportedLine = Type.Object({
  line: Type.Integer(),
  sn: Type.String(),
  result: OneOf(LINE_RESULTS),
  message: Type.String(),
  activationCode: Type.Optional(Type.String()),
  stockId: Type.Optional(Id),
});
export type ImportedLine = Static<typeof ImportedLine>;

export const ImportReply = Type.Object({
  imported: Type.Integer(),
  codesReplaced: Type.Integer({
    description: "其中重复导入的台数：它们之前的激活码已作废",
  }),
  codeExpiresAt: Timestamp,
  lines: Type.Array(ImportedLine),
});
export type ImportReply = Static<typeof ImportReply>;

/** Maximum number of devices in one call. */
export const MAX_STOCK_DEVICES = 200;
const StockIds = Type.Array(Id, {
  title: "设备",
  minItems: 1,
  maxItems: MAX_STOCK_DEVICES,
  uniqueItems: true,
});

export const deviceStockContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/device/stock/list",
    access: "platform",
    summary: "新设备列表",
    query: PageQuery({
      keyword: Type.Optional(Type.String({ title: "编号/备注", maxLength: 64 })),
      modelId: Type.Optional(Id),
      batch: Type.Optional(Type.String({ title: "批次", maxLength: 40 })),
      state: Type.Optional(StockState),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(DeviceStock),
  }),
  history: endpoint({
    method: "GET",
    path: "/admin/v1/device/stock/history/{id}",
    access: "platform",
    summary: "新设备的处理记录",
    params: IdParams,
    reply: Type.Array(DeviceStockEvent),
  }),
  batches: endpoint({
    method: "GET",
    path: "/admin/v1/device/stock/batches",
    access: "platform",
    summary: "已有的批次，最近的在前",
    reply: Type.Array(Type.String()),
  }),
  add: endpoint({
    method: "POST",
    path: "/admin/v1/device/stock/save",
    access: "platform",
    risk: "trust",
    summary: "登记新设备",
    body: NewDevice,
    reply: IssuedCode,
  }),
  importLines: endpoint({
    method: "POST",
    path: "/admin/v1/device/stock/import",
    access: "platform",
    risk: "trust",
    summary: "批量导入新设备",
    body: Strict({
      /**
       * Idempotency key of the import: repeating it reissues codes for its devices instead of
       * refusing them as taken.
       */
      importId: Uuid,
      mode: OneOf(IMPORT_MODES, "导入方式"),
      lines: Type.Array(ImportLine, { title: "行", minItems: 1, maxItems: MAX_IMPORT_LINES }),
    }),
    reply: ImportReply,
  }),
  change: endpoint({
    method: "PUT",
    path: "/admin/v1/device/stock/modify/{id}",
    access: "platform",
    risk: "data",
    summary: "修改新设备",
    params: IdParams,
    body: DeviceChange,
    reply: Nothing,
  }),
  assign: endpoint({
    method: "PUT",
    path: "/admin/v1/device/stock/assign",
    access: "platform",
    risk: "trust",
    summary: "分配租户",
    body: Strict({ stockIds: StockIds, tenantId: TenantId }),
    reply: ChangedCount,
  }),
  recall: endpoint({
    method: "PUT",
    path: "/admin/v1/device/stock/recall",
    access: "platform",
    risk: "trust",
    summary: "收回已分配的新设备",
    body: Strict({ stockIds: StockIds, reason: Reason }),
    reply: ChangedCount,
  }),
  renewCodes: endpoint({
    method: "PUT",
    path: "/admin/v1/device/stock/code",
    access: "platform",
    risk: "trust",
    summary: "重新生成激活码",
    body: Strict({ stockIds: StockIds, reason: Reason }),
    reply: Type.Array(IssuedCode),
  }),
  scrap: endpoint({
    method: "PUT",
    path: "/admin/v1/device/stock/scrap",
    access: "platform",
    risk: "data",
    summary: "报废新设备",
    body: Strict({ stockIds: StockIds, reason: Reason }),
    reply: ChangedCount,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/admin/v1/device/stock/{id}",
    access: "platform",
    risk: "data",
    summary: "删除登记有误的新设备",
    params: IdParams,
    query: Strict({ reason: Reason }),
    reply: Nothing,
  }),
};
