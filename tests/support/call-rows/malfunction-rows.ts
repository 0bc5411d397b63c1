// Calls about malfunctions.
import { PIXEL_PNG } from "../adverts.ts";
import { type CallName, type CallRow, reason } from "../call-row.ts";
import { terms } from "../malfunctions.ts";

export const malfunctionRows = {
  "malfunction.size": { input: ({ tenantId }) => ({ query: { status: "CREATED", tenantId } }) },
  "malfunction.list": {
    input: ({ tenantId, cabinetId, storeId }) => ({
      query: { tenantId, cabinetId, storeId, pageSize: 100 },
    }),
  },
  "malfunction.counts": {
    input: ({ tenantId, cabinetId, storeId }) => ({ query: { tenantId, cabinetId, storeId } }),
  },
  "malfunction.get": { input: ({ malfunctionId }) => ({ params: { id: malfunctionId } }) },
  "malfunction.assignees": {
    input: ({ tenantId, malfunctionId }) => ({ query: { tenantId, ids: `${malfunctionId}` } }),
  },
  "malfunction.create": {
    input: ({ secondCabinetId }) => ({
      body: {
        cabinetId: secondCabinetId,
        compartmentNo: 1,
        kind: "OTHER",
        severity: "NORMAL",
        description: "锁舌变形，关门不严",
        photoIds: [],
      },
    }),
  },
  "malfunction.accept": { input: ({ malfunctionId }) => ({ body: { ids: [malfunctionId] } }) },
  "malfunction.assign": {
    input: ({ malfunctionId, operatorId }) => ({
      body: { ids: [malfunctionId], operatorId, note: "请今天处理" },
    }),
  },
  "malfunction.note": {
    input: ({ workedMalfunctionId }) => ({
      params: { id: workedMalfunctionId },
      body: { text: "已更换锁舌，待观察", photoIds: [] },
    }),
  },
  "malfunction.test": {
    input: ({ malfunctionId }) => ({ params: { id: malfunctionId }, body: { no: 1, reason } }),
  },
  "malfunction.resolve": {
    input: ({ workedMalfunctionId }) => ({
      params: { id: workedMalfunctionId },
      body: { cause: "电源适配器损坏", measure: "更换适配器", photoIds: [], enables: false },
    }),
  },
  "malfunction.close": {
    input: ({ resolvedMalfunctionId }) => ({ body: { ids: [resolvedMalfunctionId] } }),
  },
  "malfunction.ignore": {
    input: ({ malfunctionId }) => ({ body: { ids: [malfunctionId], reason } }),
  },
  "malfunction.reopen": {
    input: ({ resolvedMalfunctionId }) => ({
      params: { id: resolvedMalfunctionId },
      body: { reason },
    }),
  },
  "malfunction.setSeverity": {
    input: ({ malfunctionId }) => ({
      params: { id: malfunctionId },
      body: { severity: "SEVERE", reason },
    }),
  },
  "malfunction.uploadPhoto": {
    input: ({ tenantId }) => ({ body: { tenantId }, file: { name: "lock.png", bytes: PIXEL_PNG } }),
  },
  "malfunction.photo": {
    input: ({ malfunctionPhotoId }) => ({ params: { fileId: malfunctionPhotoId } }),
  },
  "malfunction.sla": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "malfunction.saveSla": {
    isForAllStores: true,
    input: ({ tenantId }) => ({ body: { terms, tenantId, editVersion: 1 } }),
  },
} satisfies Partial<Record<CallName, CallRow>>;
