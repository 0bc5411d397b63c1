// Every call of the house with an input that succeeds, for tests that walk over all of them.
import { randomUUID } from "node:crypto";
import type { contracts } from "@cabinet/contract/contracts.ts";
import { advertDraft, PIXEL_PNG } from "./adverts.ts";
import type { CallInput } from "./house.ts";
import { miniProgramDraft } from "./mini-programs.ts";
import { paymentDraft } from "./payments.ts";
import { IMAGE, IMAGE_SIGNATURE, MAKER_KEY } from "./rollouts.ts";
import { tenantSettingDraft } from "./settings.ts";

type Contracts = typeof contracts;
export type CallName = {
  [Noun in keyof Contracts]: `${Noun}.${keyof Contracts[Noun] & string}`;
}[keyof Contracts];

/** What a call may name. A row takes its ids from here, so that a test can put others in their place. */
export interface Ids {
  tenantId: number;
  /** Suspended, with nothing in it. */
  spareTenantId: number;
  /** Online, running, in a store; its compartments: 1 plain, 2 disabled, 3 booked but empty. */
  cabinetId: number;
  secondCabinetId: number;
  pausedCabinetId: number;
  storeId: number;
  /** No cabinet stands in it. */
  emptyStoreId: number;
  /** An account of the tenant. */
  operatorId: number;
  /** Maintenance staff of the store below without a role: one at work, one disabled. */
  staffId: number;
  disabledStaffId: number;
  /** A role that nobody has; its members would see the store above. */
  roleId: number;
  /** One command, settled. */
  commandId: string;
  /** A new device in stock, and one that is the tenant's but not in service yet. */
  stockId: number;
  assignedStockId: number;
  /** Platform-wide: they belong to no tenant. */
  modelId: number;
  /** A model that no cabinet is of. */
  spareModelId: number;
  menuEntryId: number;
  /** Of `modelId`: one that is released, one that is a draft; and a file that none is made of. */
  firmwareId: number;
  draftFirmwareId: number;
  firmwareFileId: string;
  /** Of somebody who asked for it and nobody else. */
  exportId: string;
  /** Of parameters: one runs, one pauses, one stopped at a failure. */
  rolloutId: number;
  pausedRolloutId: number;
  stoppedRolloutId: number;
  /** Goods of this end user lie in compartment 3 of the first cabinet. */
  endUserId: number;
  orderId: number;
  /** Of the same tenant: has nothing and owes nothing; and a tag that the first one has. */
  spareUserId: number;
  tagId: number;
  /** What was paid into their wallet. */
  journalId: number;
  /** Paid by WeChat; a difference of the work list, and one of money for a closed top-up. */
  topUpId: number;
  differenceId: number;
  creditableId: number;
  /** With the code of that order. */
  smsId: number;
  /** What the tenant bought of text messages, and a fault that its first account was told of. */
  smsRechargeId: number;
  malfunctionId: number;
  noticeId: number;
  /** A package on sale, and a card of another one that this end user bought. */
  packageId: number;
  userPackageId: number;
  /** A 充值赠送 on sale: 50 yuan and 5 on top. */
  bonusPackageId: number;
  /** A picture of the tenant that is nobody's logo yet. */
  logoFileId: string;
  /** One advert that is on, one that is a draft, and a picture that none is made of. */
  shownAdvertId: number;
  draftAdvertId: number;
  advertFileId: string;
  /** Something that was done in it, and the session of one of its accounts. */
  auditEntryId: number;
  sessionId: number;
}

export interface CallRow {
  input: (ids: Ids) => CallInput;
  /** Where even the right account is refused: part of what it is told. */
  refusal?: string;
  /** It counts at every store, so that who sees some of them alone is refused. */
  isForAllStores?: true;
}

const reason = "用户忘记取件码";
const menuEntry = {
  parentId: null,
  title: "测试",
  uri: "/new-entry",
  icon: "",
  kind: "MENU",
  permissions: [],
  sort: 1,
};
const roleDraft = { name: "区域主管", remark: "", storeScope: "LISTED" };
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
const cardPackage = {
  name: "十次卡",
  kind: "USES",
  sides: ["SINGLE"],
  priceFen: 2_500,
  bonusFen: 0,
  uses: 10,
  validDays: 90,
  coverLimitFen: null,
  remark: "",
  isOnSale: true,
};
const replayed = {
  from: "2026-11-01",
  to: "2026-11-30",
  freeMinutes: 0,
  perUseFen: 100,
  stepMinutes: 60,
  stepFen: 0,
  overdueAfterMinutes: 1_440,
};
const storeAdvert = { ...advertDraft, targetKind: "STORE" };
const nothing = () => ({});

const newStaff = {
  userType: 2,
  displayName: "王师傅",
  phone: "13812345678",
  remark: "",
};

export const callRows: Record<CallName, CallRow> = {
  "access.menu": { input: nothing },
  "access.menuTree": { input: nothing },
  "access.menuUse": { input: nothing },
  "access.createMenuEntry": { input: () => ({ body: menuEntry }) },
  "access.updateMenuEntry": {
    input: ({ menuEntryId }) => ({
      params: { id: menuEntryId },
      body: { ...menuEntry, uri: "/changed-entry" },
    }),
  },
  "access.deleteMenuEntry": { input: ({ menuEntryId }) => ({ params: { id: menuEntryId } }) },
  "account.profile": { input: nothing },
  "account.saveProfile": { input: () => ({ body: { displayName: "王芳", editVersion: 1 } }) },
  "account.sessions": { input: nothing },
  "account.signIns": { input: nothing },
  "account.endOtherSessions": { input: nothing },
  "account.preference": { input: nothing },
  "account.savePreference": {
    input: () => ({
      body: {
        theme: "dark",
        columns: [{ list: "设备列表", choice: { hidden: ["signal"], order: [] } }],
      },
    }),
  },
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
  "announcement.latest": { input: nothing },
  "app.requestCode": { input: ({ tenantId }) => ({ body: { tenantId, phone: "13800000000" } }) },
  "app.signIn": {
    input: ({ tenantId }) => ({ body: { tenantId, phone: "13800000000", code: "000000" } }),
    refusal: "验证码不正确",
  },
  "app.signInByMiniProgram": {
    input: ({ tenantId }) => ({ body: { tenantId, loginCode: "0a1B2c" } }),
    refusal: "微信登录",
  },
  "app.signOut": { input: nothing },
  "app.me": { input: nothing },
  "app-order.cabinet": { input: () => ({ params: { sn: "NOBODY0001" } }), refusal: "设备不存在" },
  "app-order.deposit": {
    input: () => ({
      body: { sn: "NOBODY0001", size: "M", recipientPhone: "13800000000", itemNote: "" },
    }),
    refusal: "设备不存在",
  },
  "app-order.list": { input: () => ({ query: { pageSize: 100 } }) },
  "app-order.get": { input: ({ orderId }) => ({ params: { id: orderId } }) },
  "app-order.openAgain": {
    input: ({ orderId }) => ({ params: { id: orderId } }),
    refusal: "不能开门存件",
  },
  "app-order.cancel": {
    input: ({ orderId }) => ({ params: { id: orderId } }),
    refusal: "不能取消",
  },
  "app-order.takeBack": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { agreedFen: 1000 } }),
  },
  "app-order.pickup": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { agreedFen: 1000 } }),
  },
  "app-order.pay": {
    input: ({ orderId }) => ({ params: { id: orderId } }),
    refusal: "请在取件时支付",
  },
  "app-order.pickupByCode": {
    input: () => ({ body: { sn: "NOBODY0001", code: "000000", agreedFen: 0 } }),
    refusal: "取件码不正确",
  },
  "app-order.opening": {
    input: ({ commandId }) => ({ params: { id: commandId } }),
    refusal: "不存在",
  },
  "app-wallet.wallet": { input: nothing },
  "app-wallet.journals": { input: () => ({ query: { pageSize: 100 } }) },
  "app-wallet.packages": { input: nothing },
  "app-wallet.buyPackage": {
    input: ({ packageId }) => ({ params: { id: packageId }, body: { agreedFen: 100_000 } }),
  },
  "app-wallet.topUp": {
    input: ({ packageId }) => ({ body: { openid: "o-1", packageId } }),
    refusal: "已下架或不存在",
  },
  "app-wallet.topUpProgress": {
    input: ({ topUpId }) => ({ params: { id: topUpId } }),
  },
  "audit.list": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "audit.get": { input: ({ auditEntryId }) => ({ params: { id: auditEntryId } }) },
  "audit.calls": { input: nothing },
  "audit.chains": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "audit.check": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "auth.captcha": { input: nothing },
  "auth.login": {
    input: () => ({ body: { username: "nobody", password: "no password" } }),
    refusal: "人机验证",
  },
  "auth.logout": { input: nothing },
  "auth.changePassword": {
    input: () => ({ body: { oldPassword: "not the old one", newPassword: "a new one 2026" } }),
    refusal: "原密码不正确",
  },
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
        pricing: null,
      },
    }),
  },
  "cabinet.retire": {
    input: ({ pausedCabinetId }) => ({ params: { id: pausedCabinetId }, body: { reason } }),
    refusal: "设备内还有物品",
  },
  "cabinet-event.list": {
    input: ({ tenantId, cabinetId }) => ({ query: { tenantId, cabinetId, pageSize: 100 } }),
  },
  "cabinet-event.presence": {
    input: ({ cabinetId }) => ({ params: { id: cabinetId }, query: { hours: 24 } }),
  },
  "cabinet.pushConfig": {
    input: ({ cabinetId, secondCabinetId }) => ({
      body: { cabinetIds: [cabinetId, secondCabinetId], config: { volume: 30 } },
    }),
  },
  "cabinet.syncConfig": { input: ({ cabinetId }) => ({ params: { id: cabinetId } }) },
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
  "cabinet-service.summary": { input: ({ tenantId }) => ({ query: { tenantId } }) },
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
  // What an export may read is what its list may; which lists there are is tested beside it.
  "export.start": {
    input: () => ({ body: { call: "/admin/v1/nothing/list", query: {} } }),
    refusal: "要导出的列表不存在",
  },
  // Each account fetches its own alone.
  "export.page": {
    input: ({ exportId }) => ({ params: { id: exportId }, query: { page: 1, pageSize: 49 } }),
    refusal: "重新导出",
  },
  "export.end": {
    input: ({ exportId }) => ({ params: { id: exportId } }),
    refusal: "重新导出",
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
  "ledger.list": {
    input: ({ tenantId, endUserId }) => ({ query: { tenantId, endUserId, pageSize: 100 } }),
  },
  "ledger.sums": { input: ({ tenantId, endUserId }) => ({ query: { tenantId, endUserId } }) },
  "ledger.get": { input: ({ journalId }) => ({ params: { id: journalId } }) },
  "login-log.list": { input: ({ tenantId }) => ({ query: { tenantId } }) },
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
  "maintenance-message.mine": { input: nothing },
  "maintenance-message.read": { input: ({ noticeId }) => ({ body: { ids: [noticeId] } }) },
  "malfunction.size": { input: ({ tenantId }) => ({ query: { status: "CREATED", tenantId } }) },
  "map.setting": { input: nothing },
  "mini-program.setting": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "mini-program.saveSetting": {
    input: ({ tenantId }) => ({ body: { ...miniProgramDraft, tenantId, editVersion: 1 } }),
    isForAllStores: true,
  },
  "mini-program.checkSetting": { input: ({ tenantId }) => ({ body: { tenantId } }) },
  "tenant-setting.setting": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "tenant-setting.saveSetting": {
    input: ({ tenantId, logoFileId }) => ({
      body: { ...tenantSettingDraft, logoId: logoFileId, tenantId, editVersion: 1 },
    }),
    isForAllStores: true,
  },
  "tenant-setting.uploadLogo": {
    input: ({ tenantId }) => ({ body: { tenantId }, file: { name: "logo.png", bytes: PIXEL_PNG } }),
  },
  "tenant-setting.logo": { input: ({ logoFileId }) => ({ params: { fileId: logoFileId } }) },
  "tenant-setting.shell": { input: nothing },
  "payment.setting": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "payment.saveSetting": {
    input: ({ tenantId }) => ({ body: { ...paymentDraft, tenantId, editVersion: 1 } }),
    isForAllStores: true,
  },
  "payment.checkSetting": { input: ({ tenantId }) => ({ body: { tenantId } }) },
  "payment.topUp": { input: ({ topUpId }) => ({ params: { id: topUpId } }) },
  "payment.refundTopUp": {
    input: ({ topUpId }) => ({ params: { id: topUpId }, body: { fen: 100, reason } }),
  },
  "payment.checkTopUp": { input: ({ topUpId }) => ({ params: { id: topUpId } }) },
  "reconciliation.runs": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "reconciliation.run": {
    input: ({ tenantId }) => ({
      body: { tenantId, day: new Date().toISOString().slice(0, 10) },
    }),
  },
  "reconciliation.differences": {
    input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }),
  },
  "reconciliation.resolve": {
    input: ({ differenceId }) => ({ params: { id: differenceId }, body: { reason } }),
  },
  "reconciliation.credit": {
    input: ({ creditableId }) => ({ params: { id: creditableId }, body: { reason } }),
  },
  "session.list": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "session.end": {
    input: ({ sessionId }) => ({ params: { id: sessionId }, body: { reason } }),
  },
  "sms.history": {
    input: ({ tenantId, orderId }) => ({ query: { tenantId, orderId, pageSize: 100 } }),
  },
  "sms.showText": { input: ({ smsId }) => ({ params: { id: smsId }, body: { reason } }) },
  "sms-credit.info": { input: nothing },
  "sms-credit.infoOf": { input: ({ tenantId }) => ({ params: { tenantId } }) },
  "sms-credit.records": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "sms-credit.recordsOf": {
    input: ({ tenantId }) => ({ params: { tenantId }, query: { pageSize: 100 } }),
  },
  "sms-credit.recharge": {
    input: ({ tenantId }) => ({
      body: { tenantId, segments: 1_000, amountFen: 4_500, reason: "合同 2026-11" },
    }),
  },
  "sms-credit.reverse": {
    input: ({ smsRechargeId }) => ({ params: { id: smsRechargeId }, body: { reason } }),
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
  "store.update": {
    input: ({ storeId, operatorId }) => ({
      params: { id: storeId },
      body: { ...storeDraft, managerId: operatorId, editVersion: 1 },
    }),
  },
  "store.delete": { input: ({ emptyStoreId }) => ({ params: { id: emptyStoreId } }) },
  "package.list": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "package.get": { input: ({ packageId }) => ({ params: { id: packageId } }) },
  "package.save": {
    input: ({ tenantId, packageId }) => ({
      body: { ...cardPackage, tenantId, id: packageId, editVersion: 1 },
    }),
  },
  "package.putOnSale": {
    input: ({ packageId }) => ({ params: { id: packageId }, body: { isOnSale: false } }),
  },
  "package.delete": { input: ({ packageId }) => ({ params: { id: packageId } }) },
  "package.sell": {
    input: ({ packageId, endUserId }) => ({
      body: { packageId, endUserId, agreedFen: 100_000, reason },
    }),
  },
  "package.cards": {
    input: ({ tenantId, packageId, endUserId }) => ({
      query: { tenantId, packageId, endUserId, pageSize: 100 },
    }),
  },
  "package.cardUses": { input: ({ userPackageId }) => ({ params: { id: userPackageId } }) },
  "order.list": {
    input: ({ tenantId, cabinetId, storeId, endUserId }) => ({
      query: { side: "SINGLE", tenantId, cabinetId, storeId, endUserId, pageSize: 100 },
    }),
  },
  "order.get": { input: ({ orderId }) => ({ params: { id: orderId } }) },
  "order.timeline": { input: ({ orderId }) => ({ params: { id: orderId } }) },
  "order.showPhones": { input: ({ orderId }) => ({ params: { id: orderId } }) },
  "order-deed.open": {
    input: ({ orderId }) => ({
      params: { id: orderId },
      body: { purpose: "PICKUP", waives: false, reason },
    }),
  },
  "order-deed.decideOpening": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { isOpened: true, reason } }),
    refusal: "无需核实",
  },
  "order-deed.resendCode": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { reason } }),
  },
  "order-deed.extend": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { hours: 24, reason } }),
  },
  "order-deed.complete": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { waives: true, reason } }),
  },
  "order-deed.cancel": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { reason } }),
    refusal: "不能取消",
  },
  "order-deed.refund": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { amountFen: 100, reason } }),
    refusal: "退款不能超过",
  },
  "order-deed.markException": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { fault: "OTHER", reason } }),
  },
  "pricing.simulate": {
    input: ({ tenantId, storeId, cabinetId }) => ({
      query: { ...replayed, side: "SINGLE", tenantId, storeId, cabinetId },
    }),
  },
  "pricing.get": { input: ({ tenantId, storeId }) => ({ query: { tenantId, storeId } }) },
  "pricing.save": {
    input: ({ tenantId, storeId }) => ({
      body: {
        tenantId,
        storeId,
        version: 0,
        rule: {
          freeMinutes: 30,
          perUseFen: 100,
          stepMinutes: 60,
          stepFen: 100,
          capFen: null,
          overdueAfterMinutes: 1440,
        },
      },
    }),
  },
  "role.list": {
    input: ({ tenantId, staffId }) => ({ query: { tenantId, operatorId: staffId } }),
  },
  "role.options": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "role.grantable": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "role.get": { input: ({ roleId }) => ({ params: { id: roleId } }) },
  "role.create": {
    input: ({ tenantId, storeId, menuEntryId }) => ({
      body: { ...roleDraft, tenantId, storeIds: [storeId], entryIds: [menuEntryId] },
    }),
  },
  "role.update": {
    input: ({ roleId, storeId, menuEntryId }) => ({
      params: { id: roleId },
      body: { ...roleDraft, storeIds: [storeId], entryIds: [menuEntryId], editVersion: 1 },
    }),
  },
  "role.copy": { input: ({ roleId }) => ({ params: { id: roleId }, body: { name: "副本" } }) },
  "role.delete": { input: ({ roleId }) => ({ params: { id: roleId }, query: { members: 0 } }) },
  "role.candidates": { input: ({ roleId }) => ({ params: { id: roleId } }) },
  "role.saveMembers": {
    input: ({ roleId, staffId }) => ({
      params: { id: roleId },
      body: { addedOperatorIds: [staffId], removedOperatorIds: [] },
    }),
  },
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
  "statistics.singleIncome": {
    input: ({ tenantId, storeId, cabinetId }) => ({ query: { tenantId, storeId, cabinetId } }),
  },
  "statistics.singleTendency": {
    input: ({ tenantId, storeId, cabinetId }) => ({ body: { tenantId, storeId, cabinetId } }),
  },
  "statistics.doubleIncome": {
    input: ({ tenantId, storeId, cabinetId }) => ({ query: { tenantId, storeId, cabinetId } }),
  },
  "statistics.doubleTendency": {
    input: ({ tenantId, storeId, cabinetId }) => ({ body: { tenantId, storeId, cabinetId } }),
  },
  "statistics.ranking": {
    input: ({ tenantId, storeId, cabinetId }) => ({
      query: { tenantId, storeId, cabinetId, by: "CABINET", pageSize: 100 },
    }),
  },
  "statistics.home": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "statistics.screen": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "statistics.occupancy": {
    input: ({ tenantId, storeId, cabinetId }) => ({ query: { tenantId, storeId, cabinetId } }),
  },
  "statistics.sizes": {
    input: ({ tenantId, storeId, cabinetId }) => ({
      query: { tenantId, storeId, cabinetId, keyword: "柜", pageSize: 100 },
    }),
  },
  "store.options": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "tenancy.list": { input: () => ({ query: { pageSize: 100 } }) },
  "tenancy.get": { input: ({ tenantId }) => ({ params: { id: tenantId } }) },
  "tenancy.remains": { input: ({ tenantId }) => ({ params: { id: tenantId } }) },
  "tenancy.create": {
    input: ({ menuEntryId }) => ({
      body: {
        name: randomUUID(),
        withheldIds: [menuEntryId],
        account: {
          username: `first-${randomUUID().slice(0, 8)}`,
          displayName: "周敏",
          phone: "",
          password: "Tnz4-kWq7-Rm2x",
        },
      },
    }),
  },
  "tenancy.update": {
    input: ({ spareTenantId, menuEntryId }) => ({
      query: {
        id: spareTenantId,
        name: `改名的租户 ${spareTenantId}`,
        withheldIds: String(menuEntryId),
        editVersion: 1,
      },
    }),
  },
  "tenancy.delete": { input: ({ spareTenantId }) => ({ params: { id: spareTenantId } }) },
  "tenancy.renew": {
    input: ({ spareTenantId }) => ({
      params: { id: spareTenantId },
      body: { expiresOnBefore: null, months: 12, reason },
    }),
  },
  "tenancy.suspend": {
    input: ({ tenantId }) => ({ params: { id: tenantId }, body: { reason } }),
  },
  "tenancy.resume": {
    input: ({ spareTenantId }) => ({ params: { id: spareTenantId }, body: { reason } }),
  },
  "tenancy.showContact": { input: ({ tenantId }) => ({ params: { id: tenantId } }) },
  "tenant.options": { input: nothing },
  "visit.start": { input: ({ tenantId }) => ({ params: { id: tenantId }, body: { reason } }) },
  "end-user.list": {
    input: ({ tenantId, tagId, endUserId }) => ({
      query: { tenantId, tagId, endUserId, name: "用户", pageSize: 100 },
    }),
  },
  "end-user.get": { input: ({ endUserId }) => ({ params: { id: endUserId } }) },
  "end-user.showPhone": { input: ({ endUserId }) => ({ params: { id: endUserId } }) },
  "end-user.lock": {
    input: ({ endUserId }) => ({
      params: { id: endUserId },
      query: { lock: true, reason: "多次遗留物品" },
    }),
  },
  "end-user.delete": { input: ({ spareUserId }) => ({ params: { id: spareUserId } }) },
  "tag.list": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "tag.create": {
    input: ({ tenantId }) => ({ query: { tenantId, name: "新标签", color: "BLUE" } }),
  },
  "tag.update": {
    input: ({ tagId }) => ({
      body: { id: tagId, name: "改名", color: "RED", remark: "", editVersion: 1 },
    }),
  },
  "tag.delete": { input: ({ tagId }) => ({ query: { id: tagId } }) },
  "tag.assign": {
    input: ({ spareUserId, tagId }) => ({ body: { endUserIds: [spareUserId], tagIds: [tagId] } }),
  },
  "tag.replace": {
    input: ({ endUserId, tagId }) => ({ body: { endUserId, tagIds: [tagId] } }),
  },
  "operator.list": {
    input: ({ tenantId, roleId }) => ({
      query: { tenantId, roleId, keyword: "员", pageSize: 100 },
    }),
  },
  "operator.maintenanceList": {
    input: ({ tenantId, roleId, storeId }) => ({
      query: { tenantId, roleId, storeId, pageSize: 100 },
    }),
  },
  "operator.get": { input: ({ staffId }) => ({ params: { id: staffId } }) },
  "operator.roles": { input: ({ staffId }) => ({ params: { id: staffId } }) },
  "operator.add": {
    input: ({ tenantId, roleId, storeId }) => ({
      body: {
        ...newStaff,
        tenantId,
        username: `w${randomUUID().slice(0, 12)}`,
        password: "kT7m-Qp2x-Vb4n",
        roleIds: [roleId],
        storeIds: [storeId],
      },
    }),
  },
  "operator.update": {
    input: ({ staffId, storeId }) => ({
      body: { ...newStaff, id: staffId, storeIds: [storeId], editVersion: 1 },
    }),
  },
  "operator.delete": { input: ({ staffId }) => ({ params: { id: staffId } }) },
  "operator.bindRoles": {
    input: ({ staffId, roleId }) => ({ body: { id: staffId, roleIds: String(roleId) } }),
  },
  "operator.resetPassword": {
    input: ({ staffId }) => ({ body: { id: staffId, password: "kT7m-Qp2x-Vb4n", reason } }),
  },
  "operator.disable": {
    input: ({ staffId }) => ({ params: { id: staffId }, body: { reason } }),
  },
  "operator.enable": {
    input: ({ disabledStaffId }) => ({ params: { id: disabledStaffId }, body: { reason } }),
  },
  "operator.unlock": {
    input: ({ staffId }) => ({ params: { id: staffId }, body: { reason } }),
  },
  "operator.showPhone": { input: ({ staffId }) => ({ params: { id: staffId } }) },
  "wallet.list": {
    input: ({ tenantId, endUserId }) => ({ query: { tenantId, endUserId, pageSize: 100 } }),
  },
  "wallet.topUps": {
    input: ({ tenantId, endUserId }) => ({ query: { tenantId, endUserId, pageSize: 100 } }),
  },
  "wallet.get": { input: ({ endUserId }) => ({ query: { endUserId } }) },
  "wallet.change": {
    input: ({ endUserId, bonusPackageId: packageId }) => ({
      body: { endUserId, kind: "RECHARGE", principalFen: 5_000, bonusFen: 500, packageId, reason },
    }),
  },
};

/** The kinds of ids that a row's input names. */
export function idsNamedBy(row: CallRow, ids: Ids): (keyof Ids)[] {
  const named = new Set<keyof Ids>();
  const watched = new Proxy(ids, {
    get(target, key) {
      named.add(key as keyof Ids);
      return target[key as keyof Ids];
    },
  });
  row.input(watched);
  return [...named];
}
