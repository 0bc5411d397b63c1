// Calls about accounts, roles, tenants, end users, sessions, logs and exports.
import { randomUUID } from "node:crypto";
import { PIXEL_PNG } from "../adverts.ts";
import { type CallName, type CallRow, nothing, reason } from "../call-row.ts";
import { tenantSettingDraft } from "../settings.ts";

const menuEntry = {
  parentId: null,
  title: "测试",
  uri: "https://new.example/entry",
  icon: "",
  kind: "MENU",
  permissions: [],
  sort: 1,
};
const roleDraft = { name: "区域主管", remark: "", storeScope: "LISTED" };
const newStaff = {
  userType: 2,
  displayName: "王师傅",
  phone: "13812345678",
  remark: "",
};

export const peopleRows = {
  "access.menu": { input: nothing },
  "access.menuTree": { input: nothing },
  "access.menuUse": { input: nothing },
  "access.createMenuEntry": { input: () => ({ body: menuEntry }) },
  "access.updateMenuEntry": {
    input: ({ menuEntryId }) => ({
      params: { id: menuEntryId },
      body: { ...menuEntry, uri: "https://changed.example/entry" },
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
  "audit.list": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "audit.get": { input: ({ auditEntryId }) => ({ params: { id: auditEntryId } }) },
  "audit.calls": { input: nothing },
  "audit.chains": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "backup.latest": { input: nothing },
  "backup.check": { input: nothing },
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
  "end-user.list": {
    input: ({ tenantId, tagId, endUserId }) => ({
      query: { tenantId, tagId, endUserId, name: "用户", pageSize: 100 },
    }),
  },
  "end-user.get": { input: ({ endUserId }) => ({ params: { id: endUserId } }) },
  "end-user.showPhone": {
    input: ({ endUserId }) => ({ params: { id: endUserId }, body: { reason } }),
  },
  "end-user.lock": {
    input: ({ endUserId }) => ({
      params: { id: endUserId },
      query: { lock: true, reason: "多次遗留物品" },
    }),
  },
  "end-user.addNote": {
    input: ({ endUserId }) => ({ params: { id: endUserId }, body: { text: "常投诉，请先核实" } }),
  },
  // Another account wrote it.
  "end-user.deleteNote": {
    input: ({ endUserId, noteId }) => ({ params: { id: endUserId, noteId } }),
    isForAllStores: true,
  },
  "end-user.delete": { input: ({ spareUserId }) => ({ params: { id: spareUserId } }) },
  // An export has the permissions of its list; export.routes.test.ts covers the lists themselves.
  "export.start": {
    input: () => ({ body: { call: "/admin/v1/nothing/list", query: {} } }),
    refusal: "要导出的列表不存在",
  },
  // Each account can fetch only its own export.
  "export.page": {
    input: ({ exportId }) => ({ params: { id: exportId }, query: { page: 1, pageSize: 49 } }),
    refusal: "重新导出",
  },
  "export.end": {
    input: ({ exportId }) => ({ params: { id: exportId } }),
    refusal: "重新导出",
  },
  "login-log.list": { input: ({ tenantId }) => ({ query: { tenantId } }) },
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
  "operator.scope": {
    input: ({ tenantId, roleId, storeId }) => ({
      body: { tenantId, userType: 1, roleIds: [roleId], storeIds: [storeId] },
    }),
  },
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
  "operator.exemptFromFactor": {
    input: ({ staffId }) => ({ params: { id: staffId }, body: { until: null, reason } }),
  },
  "operator.clearSecondFactor": {
    input: ({ staffId }) => ({ params: { id: staffId }, body: { reason } }),
    refusal: "没有设置两步验证",
  },
  "operator.showPhone": { input: ({ staffId }) => ({ params: { id: staffId } }) },
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
  "second-factor.get": { input: nothing },
  "second-factor.beginTotp": { input: nothing },
  "second-factor.confirmTotp": {
    input: () => ({ body: { code: "000000" } }),
    // A set-up was begun by the call before, or not.
    refusal: "验证",
  },
  "second-factor.removeTotp": { input: nothing, refusal: "验证器不存在" },
  "second-factor.beginPasskey": { input: () => ({ body: { host: "localhost" } }) },
  "second-factor.confirmPasskey": {
    input: () => ({ body: { name: "电脑", answer: {} } }),
    refusal: "通行密钥没有通过",
  },
  "second-factor.removePasskey": {
    input: () => ({ params: { id: 1 } }),
    refusal: "通行密钥不存在",
  },
  "second-factor.renewRecoveryCodes": { input: nothing, refusal: "两步验证不存在" },
  "second-factor.ways": { input: () => ({ query: { host: "localhost" } }) },
  "second-factor.challenge": {
    input: () => ({ body: { host: "localhost" } }),
    refusal: "通行密钥不存在",
  },
  "second-factor.prove": {
    input: () => ({ body: { password: "not the password" } }),
    refusal: "验证没有通过",
  },
  "search.find": { input: () => ({ query: { text: "0000" } }) },
  "session.list": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "session.end": {
    input: ({ sessionId }) => ({ params: { id: sessionId }, body: { reason } }),
  },
  "tag.list": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "tag.create": {
    input: ({ tenantId }) => ({ query: { tenantId, name: "新标签", color: "BLUE" } }),
  },
  "tag.importLines": {
    input: ({ tenantId }) => ({
      body: {
        mode: "VALID_ONLY",
        lines: [{ line: 2, name: "新标签", color: "", remark: "" }],
        tenantId,
      },
    }),
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
  "tenancy.saveFeatures": {
    input: ({ spareTenantId }) => ({
      params: { id: spareTenantId },
      body: {
        features: [{ feature: "advert", isOn: true, startsOn: null, endsOn: "2099-12-31" }],
        reason,
        editVersion: 1,
      },
    }),
  },
  "tenancy.exemptFromFactor": {
    input: ({ spareTenantId }) => ({
      params: { id: spareTenantId },
      body: { until: null, reason },
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
  "visit.start": { input: ({ tenantId }) => ({ params: { id: tenantId }, body: { reason } }) },
} satisfies Partial<Record<CallName, CallRow>>;
