// Calls about cabinets: stores, models, activation, commands, firmware, roll-outs, adverts, upkeep.
import { randomUUID } from "node:crypto";
import { advertDraft, PIXEL_PNG } from "../adverts.ts";
import { type CallName, type CallRow, nothing, reason } from "../call-row.ts";
import { sampleRule } from "../pricing.ts";
import { IMAGE, IMAGE_SIGNATURE, MAKER_KEY } from "../rollouts.ts";

const maintenanceRule = {
  kind: "OFFLINE",
  isOn: true,
  toCaretakers: true,
  toManager: true,
  byConsole: true,
  bySms: true,
  quietFrom: "22:00",
  quietTo: "07:00",
  calmMinutes: 30,
  escalateMinutes: 15,
};
const storeDraft = {
  name: "学林街店",
  code: "XL-01",
  region: "浙江省 杭州市 钱塘区",
  address: "学林街 16 号",
  longitude: 120.3468,
  latitude: 30.3143,
  openingHours: "06:30-23:30",
  contactName: "王姐",
  contactPhone: "13812345678",
  remark: "",
};
const cabinetModel = {
  name: "新类型",
  side: "SINGLE",
  vendor: "",
  capabilities: ["OPEN"],
  heartbeatSeconds: 30,
  offlineSeconds: 90,
  remark: "",
  layout: {
    columns: 1,
    rows: 2,
    cells: [{ no: 1, size: "S", column: 1, row: 1, rowSpan: 1, boardAddress: "01-01" }],
  },
};
const storeAdvert = { ...advertDraft, targetKind: "STORE" };

export const cabinetRows = {
  "activation.activate": {
    input: () => ({
      body: { sn: "NOBODY0001", code: "0000-0000-0000-0000", claim: "AAAAAAAAAAAAAAAAAAAAAA" },
    }),
    refusal: "激活未成功",
  },
  "advert.list": {
    input: ({ tenantId, cabinetId }) => ({ query: { tenantId, cabinetId, pageSize: 100 } }),
  },
  "advert.get": { input: ({ shownAdvertId }) => ({ params: { id: shownAdvertId } }) },
  "advert.upload": {
    input: ({ tenantId }) => ({
      body: { tenantId },
      file: { name: "pixel.png", bytes: PIXEL_PNG },
    }),
  },
  "advert.file": { input: ({ advertFileId }) => ({ params: { fileId: advertFileId } }) },
  "advert.create": {
    input: ({ tenantId, storeId, advertFileId }) => ({
      body: { ...storeAdvert, tenantId, fileId: advertFileId, targetIds: [storeId] },
    }),
  },
  "advert.update": {
    input: ({ shownAdvertId, storeId, advertFileId }) => ({
      params: { id: shownAdvertId },
      body: { ...storeAdvert, fileId: advertFileId, targetIds: [storeId] },
    }),
  },
  "advert.putOn": { input: ({ draftAdvertId }) => ({ params: { id: draftAdvertId } }) },
  "advert.takeOff": { input: ({ shownAdvertId }) => ({ params: { id: shownAdvertId } }) },
  "advert.delete": { input: ({ draftAdvertId }) => ({ params: { id: draftAdvertId } }) },
  "advert.order": {
    isForAllStores: true,
    input: ({ draftAdvertId }) => ({ params: { id: draftAdvertId }, body: { step: "up" } }),
  },
  "advert.downloads": {
    input: ({ shownAdvertId }) => ({ params: { id: shownAdvertId }, query: { pageSize: 100 } }),
  },
  "advert.retry": { input: ({ shownAdvertId }) => ({ params: { id: shownAdvertId } }) },
  "cabinet.statistics": { input: ({ tenantId }) => ({ query: { side: "SINGLE", tenantId } }) },
  "cabinet.list": {
    input: ({ tenantId, storeId, modelId }) => ({
      query: { tenantId, storeId, modelId, keyword: "柜", pageSize: 100 },
    }),
  },
  "cabinet.get": { input: ({ cabinetId }) => ({ params: { id: cabinetId } }) },
  "cabinet.pause": {
    input: ({ cabinetId }) => ({ params: { id: cabinetId }, body: { reason } }),
  },
  "cabinet.resume": {
    input: ({ pausedCabinetId }) => ({ params: { id: pausedCabinetId }, body: { reason } }),
  },
  "cabinet.assignStore": {
    input: ({ cabinetId, secondCabinetId, storeId }) => ({
      body: { cabinetIds: [cabinetId, secondCabinetId], storeId },
    }),
  },
  "cabinet.update": {
    input: ({ cabinetId, storeId }) => ({
      params: { id: cabinetId },
      body: {
        editVersion: 1,
        desiredConfigVersion: 1,
        name: "测试柜",
        storeId,
        servicePhone: "",
        place: "",
        longitude: null,
        latitude: null,
        openingHours: "",
        config: {},
        pricing: sampleRule,
      },
    }),
  },
  "cabinet.retire": {
    input: ({ pausedCabinetId }) => ({ params: { id: pausedCabinetId }, body: { reason } }),
    refusal: "设备内还有物品",
  },
  "cabinet.pushConfig": {
    input: ({ cabinetId, secondCabinetId }) => ({
      body: { cabinetIds: [cabinetId, secondCabinetId], config: { volume: 30 } },
    }),
  },
  "cabinet.syncConfig": { input: ({ cabinetId }) => ({ params: { id: cabinetId } }) },
  "cabinet-event.list": {
    input: ({ tenantId, cabinetId }) => ({ query: { tenantId, cabinetId, pageSize: 100 } }),
  },
  "cabinet-event.presence": {
    input: ({ cabinetId }) => ({ params: { id: cabinetId }, query: { hours: 24 } }),
  },
  "cabinet-model.options": { input: nothing },
  "cabinet-model.list": { input: () => ({ query: { name: "柜", pageSize: 100 } }) },
  "cabinet-model.get": { input: ({ modelId }) => ({ params: { id: modelId } }) },
  "cabinet-model.create": { input: () => ({ body: cabinetModel }) },
  "cabinet-model.update": {
    input: ({ spareModelId }) => ({
      params: { id: spareModelId },
      body: { ...cabinetModel, name: "改名的类型", version: 1 },
    }),
  },
  "cabinet-model.delete": { input: ({ spareModelId }) => ({ params: { id: spareModelId } }) },
  "cabinet-secret.list": {
    input: ({ tenantId }) => ({ query: { tenantId, keyword: "柜", pageSize: 100 } }),
  },
  "cabinet-secret.issue": {
    input: ({ cabinetId }) => ({ params: { id: cabinetId }, body: { overlapHours: 24 } }),
  },
  "cabinet-secret.revoke": {
    input: ({ cabinetId }) => ({ params: { id: cabinetId }, body: { kid: "k1", reason } }),
  },
  "cabinet-secret.saveNetworks": {
    input: ({ cabinetId }) => ({
      params: { id: cabinetId },
      body: { networks: ["10.1.2.0/24", "192.0.2.7"] },
    }),
  },
  "cabinet-service.list": {
    input: ({ tenantId, modelId }) => ({ query: { tenantId, modelId, pageSize: 100 } }),
  },
  "cabinet-service.renew": {
    input: ({ cabinetId, secondCabinetId }) => ({
      body: {
        cabinetIds: [cabinetId, secondCabinetId],
        endsOnBefore: [null, null],
        months: 12,
        reason,
      },
    }),
  },
  "cabinet-service.stop": {
    input: ({ cabinetId, secondCabinetId }) => ({
      body: { cabinetIds: [cabinetId, secondCabinetId], reason },
    }),
  },
  "cabinet-service.resume": {
    input: ({ pausedCabinetId }) => ({ body: { cabinetIds: [pausedCabinetId], reason } }),
  },
  "cabinet-service.records": {
    input: ({ tenantId, cabinetId }) => ({ query: { tenantId, cabinetId, pageSize: 100 } }),
  },
  "command.open": {
    input: ({ cabinetId }) => ({ params: { id: cabinetId }, body: { no: 1, reason } }),
  },
  "command.restart": {
    input: ({ cabinetId }) => ({ params: { id: cabinetId }, body: { reason } }),
  },
  "command.get": { input: ({ commandId }) => ({ params: { id: commandId } }) },
  "command.frames": { input: ({ commandId }) => ({ params: { id: commandId } }) },
  "command.list": {
    input: ({ tenantId, cabinetId }) => ({ query: { tenantId, cabinetId, pageSize: 100 } }),
  },
  "compartment.list": { input: ({ cabinetId }) => ({ params: { id: cabinetId } }) },
  "compartment.events": { input: ({ cabinetId }) => ({ params: { id: cabinetId, no: 1 } }) },
  "compartment.enable": {
    input: ({ cabinetId }) => ({ params: { id: cabinetId, no: 2 }, body: { reason } }),
  },
  "compartment.disable": {
    input: ({ cabinetId }) => ({ params: { id: cabinetId, no: 1 }, body: { reason } }),
  },
  "compartment.markFault": {
    input: ({ cabinetId }) => ({ params: { id: cabinetId, no: 1 }, body: { reason } }),
  },
  "simulated-cabinet.get": { input: ({ cabinetId }) => ({ params: { id: cabinetId } }) },
  "simulated-cabinet.change": {
    input: ({ cabinetId }) => ({ params: { id: cabinetId }, body: {} }),
    refusal: "模拟柜机没有在运行",
  },
  "simulated-cabinet.changeCompartment": {
    input: ({ cabinetId }) => ({ params: { id: cabinetId, no: 1 }, body: {} }),
    refusal: "模拟柜机没有在运行",
  },
  "compartment.clear": {
    input: ({ cabinetId }) => ({ params: { id: cabinetId, no: 3 }, body: { reason } }),
  },
  "compartment.saveStockAudit": {
    input: ({ cabinetId }) => ({
      params: { id: cabinetId },
      body: { findings: [{ no: 3, found: "EMPTY", correct: true }] },
    }),
  },
  "device.challenge": { input: nothing },
  "device-stock.list": {
    input: ({ tenantId, modelId }) => ({ query: { tenantId, modelId, pageSize: 100 } }),
  },
  "device-stock.history": { input: ({ stockId }) => ({ params: { id: stockId } }) },
  "device-stock.batches": { input: nothing },
  "device-stock.add": {
    input: ({ modelId }) => ({
      body: { sn: `NEW${randomUUID().slice(0, 8).toUpperCase()}`, modelId },
    }),
  },
  "device-stock.importLines": {
    input: () => ({
      body: {
        importId: "6f2b0a1e-7c55-4a52-8d0d-1f0f3f6a9b11",
        mode: "VALID_ONLY",
        lines: [{ line: 2, sn: "A-1", model: "", batch: "", remark: "" }],
      },
    }),
  },
  "device-stock.change": {
    input: ({ stockId, modelId }) => ({ params: { id: stockId }, body: { modelId, batch: "B1" } }),
  },
  "device-stock.assign": {
    input: ({ stockId, tenantId }) => ({ body: { stockIds: [stockId], tenantId } }),
  },
  "device-stock.recall": {
    input: ({ assignedStockId }) => ({ body: { stockIds: [assignedStockId], reason } }),
  },
  "device-stock.renewCodes": {
    input: ({ assignedStockId }) => ({ body: { stockIds: [assignedStockId], reason } }),
  },
  "device-stock.scrap": { input: ({ stockId }) => ({ body: { stockIds: [stockId], reason } }) },
  "device-stock.remove": {
    input: ({ stockId }) => ({ params: { id: stockId }, query: { reason } }),
  },
  "firmware.list": { input: ({ modelId }) => ({ query: { modelId, pageSize: 100 } }) },
  "firmware.released": { input: ({ modelId }) => ({ query: { modelId, pageSize: 100 } }) },
  "firmware.upload": {
    input: () => ({
      body: {},
      file: { name: "cabinet.bin", bytes: IMAGE },
    }),
  },
  "firmware.create": {
    input: ({ spareModelId, firmwareFileId }) => ({
      body: {
        fileId: firmwareFileId,
        version: "3.1.0",
        minVersion: "1.0.0",
        notes: "开门更快",
        modelIds: [spareModelId],
        signature: IMAGE_SIGNATURE,
      },
    }),
  },
  "firmware.update": {
    input: ({ draftFirmwareId }) => ({
      params: { id: draftFirmwareId },
      body: { minVersion: "1.0.0", notes: "修正音量" },
    }),
  },
  "firmware.release": { input: ({ draftFirmwareId }) => ({ params: { id: draftFirmwareId } }) },
  "firmware.withdraw": {
    input: ({ firmwareId }) => ({ params: { id: firmwareId }, body: { reason } }),
  },
  "firmware.remove": { input: ({ draftFirmwareId }) => ({ params: { id: draftFirmwareId } }) },
  "firmware.makerKeys": { input: nothing },
  "firmware.saveMakerKey": {
    input: ({ spareModelId }) => ({
      params: { modelId: spareModelId },
      body: { publicKey: MAKER_KEY, reason },
    }),
  },
  "maintenance-message.rules": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "maintenance-message.accounts": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "maintenance-message.saveRule": {
    isForAllStores: true,
    input: ({ tenantId, operatorId }) => ({
      body: {
        ...maintenanceRule,
        recipientIds: [operatorId],
        escalationIds: [operatorId],
        tenantId,
        editVersion: 1,
      },
    }),
  },
  "maintenance-message.resetRule": {
    isForAllStores: true,
    input: ({ tenantId }) => ({ query: { kind: "OFFLINE", tenantId } }),
  },
  "maintenance-message.plan": {
    input: ({ tenantId, storeId }) => ({ query: { kind: "OFFLINE", storeId, tenantId } }),
  },
  "maintenance-message.test": {
    isForAllStores: true,
    input: ({ tenantId, storeId }) => ({ body: { kind: "OFFLINE", storeId, tenantId } }),
  },
  "maintenance-message.notices": {
    input: ({ tenantId, malfunctionId }) => ({
      query: { tenantId, malfunctionId, pageSize: 100 },
    }),
  },
  "notification.list": { input: nothing },
  "clientError.report": {
    input: () => ({
      body: { kind: "BOUNDARY", version: "1f", path: "/dashboard", message: "E: x", stack: "at x" },
    }),
  },
  "notification.read": {
    input: ({ noticeId, announcementId }) => ({
      body: { noticeIds: [noticeId], announcementIds: [announcementId], until: null },
    }),
  },
  "map.setting": { input: nothing },
  "rollout.list": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "rollout.get": { input: ({ rolloutId }) => ({ params: { id: rolloutId } }) },
  "rollout.targets": { input: ({ rolloutId }) => ({ params: { id: rolloutId } }) },
  "rollout.preview": {
    input: ({ tenantId, firmwareId, modelId, storeId, cabinetId, secondCabinetId }) => ({
      query: {
        kind: "FIRMWARE",
        tenantId,
        firmwareId,
        modelId,
        storeId,
        cabinetIds: `${cabinetId},${secondCabinetId}`,
      },
    }),
  },
  "rollout.create": {
    input: ({ tenantId, firmwareId, modelId, storeId, cabinetId, secondCabinetId }) => ({
      body: {
        name: "升级到新版本",
        kind: "FIRMWARE",
        tenantId,
        firmwareId,
        modelId,
        storeId,
        cabinetIds: [cabinetId, secondCabinetId],
        stagePercents: [1, 10, 100],
        advancePercent: 90,
        dwellMinutes: 30,
        stopPercent: 5,
        timeoutMinutes: 30,
      },
    }),
  },
  "rollout.pause": { input: ({ rolloutId }) => ({ params: { id: rolloutId }, body: { reason } }) },
  "rollout.resume": {
    input: ({ pausedRolloutId }) => ({ params: { id: pausedRolloutId }, body: { reason } }),
  },
  "rollout.cancel": { input: ({ rolloutId }) => ({ params: { id: rolloutId }, body: { reason } }) },
  "rollout.retry": {
    input: ({ stoppedRolloutId }) => ({ params: { id: stoppedRolloutId }, body: { reason } }),
  },
  "rollout.revert": {
    input: ({ stoppedRolloutId }) => ({ params: { id: stoppedRolloutId }, body: { reason } }),
  },
  "store.list": {
    input: ({ tenantId, operatorId }) => ({
      query: { tenantId, managerId: operatorId, keyword: "门店", pageSize: 100 },
    }),
  },
  "store.get": { input: ({ storeId }) => ({ params: { id: storeId } }) },
  "store.showContact": { input: ({ storeId }) => ({ params: { id: storeId } }) },
  "store.managers": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "store.nextCode": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "store.create": {
    input: ({ tenantId, operatorId }) => ({
      body: { ...storeDraft, tenantId, managerId: operatorId },
    }),
  },
  "store.importLines": {
    input: ({ tenantId }) => {
      const { longitude, latitude, ...texts } = storeDraft;
      const place = { longitude: String(longitude), latitude: String(latitude) };
      const code = `IMP-${randomUUID().slice(0, 8)}`;
      const line = { line: 2, ...texts, ...place, code, manager: "" };
      return { body: { mode: "VALID_ONLY", lines: [line], tenantId } };
    },
  },
  "store.update": {
    input: ({ storeId, operatorId }) => ({
      params: { id: storeId },
      body: { ...storeDraft, managerId: operatorId, editVersion: 1 },
    }),
  },
  "store.delete": { input: ({ emptyStoreId }) => ({ params: { id: emptyStoreId } }) },
  "store.options": { input: ({ tenantId }) => ({ query: { tenantId } }) },
} satisfies Partial<Record<CallName, CallRow>>;
