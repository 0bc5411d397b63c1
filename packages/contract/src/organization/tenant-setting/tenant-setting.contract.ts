// Calls for a tenant's settings (租户其他配置): texts for riders, console options, map key.
import { type Static, Type } from "typebox";
import { endpoint, Nothing, StoredFile } from "../../kit/endpoint.ts";
import { EditVersionOrNew, Nullable, Strict, TenantId, Timestamp, Uuid } from "../../kit/fields.ts";
import { OPENING_HOURS_PATTERN } from "../../kit/opening-hours.rules.ts";
import { MOST_KEPT_DAYS, RETENTION, type Retained } from "./tenant-setting.rules.ts";

const HEX_KEY = "^[0-9a-fA-F]{32}$";
const HEX_EXAMPLE = "0123456789abcdef0123456789abcdef（32 位）";

const plainFields = {
  isHint: Type.Boolean({ title: "设备异常提醒" }),
  tellsOverdue: Type.Boolean({ title: "滞留提醒短信" }),
  servicePhone: Type.String({
    title: "客服电话",
    maxLength: 20,
    pattern: "^(\\+?\\d[\\d -]{4,18})?$",
    examples: ["0571-88886666"],
  }),
  openingHours: Type.String({ title: "默认营业时间", pattern: OPENING_HOURS_PATTERN }),
  smsSign: Type.String({
    title: "短信签名",
    pattern: "^([\\u4e00-\\u9fa5A-Za-z0-9]{2,12})?$",
    examples: ["智能存取（2 至 12 个汉字、字母或数字）"],
  }),
  logoId: Nullable(Type.String({ title: "Logo", format: "uuid" })),
  mapKey: Type.String({ title: "地图 Key", pattern: `^$|${HEX_KEY}`, examples: [HEX_EXAMPLE] }),
};

const revealsPerDay = Type.Integer({
  title: "每个账号每天查看完整手机号（次）",
  minimum: 1,
  maximum: 100_000,
});

const codesPerHour = Type.Integer({
  title: "每小时短信验证码（条）",
  minimum: 1,
  maximum: 100_000,
});

const keptDays = (title: string, kind: Retained) =>
  Type.Integer({ title, minimum: RETENTION[kind].least, maximum: MOST_KEPT_DAYS });

const security = {
  adminsNeedFactor: Type.Boolean({ title: "管理员须两步验证" }),
  refundProofFen: Type.Integer({
    title: "24 小时内资金操作超过多少须再次验证",
    description: "单位分；按账号累计，0 表示每次都验证",
    minimum: 0,
    maximum: 100_000_000,
  }),
  reviewFen: Type.Integer({
    title: "24 小时内资金操作超过多少须另一人复核",
    description: "单位分；按账号累计，已复核的不计；0 表示不复核",
    minimum: 0,
    maximum: 100_000_000,
  }),
  proofMinutes: Type.Integer({
    title: "身份验证有效（分钟）",
    description: "敏感操作须在这么久之内验证过身份",
    minimum: 5,
    maximum: 120,
  }),
  sharesPeople: Type.Boolean({ title: "各门店可查看所有用户" }),
};

const retention = {
  keepPeopleDays: keptDays("不再使用的用户保留（天）", "keepPeopleDays"),
  keepMessagesDays: keptDays("短信和订阅消息的内容保留（天）", "keepMessagesDays"),
  keepPhotosDays: keptDays("故障照片保留（天）", "keepPhotosDays"),
  keepLogsDays: keptDays("登录日志保留（天）", "keepLogsDays"),
  keepEventsDays: keptDays("状态日志保留（天）", "keepEventsDays"),
  keepCommandsDays: keptDays("操作日志保留（天）", "keepCommandsDays"),
  keepAuditDays: keptDays("操作审计保留（天）", "keepAuditDays"),
};

export const TenantSetting = Type.Object({
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  ...plainFields,
  revealsPerDay,
  codesPerHour,
  ...security,
  ...retention,
  /** True if the installation has a map key for tenants without their own. */
  hasSharedMap: Type.Boolean({ description: "系统已有公用的地图 Key" }),
  editVersion: Type.Integer({
    description: "保存时原样交回，防止覆盖他人的修改；0 表示还没有保存过",
  }),
  editedAt: Nullable(Timestamp),
  editedBy: Type.String(),
});
export type TenantSetting = Static<typeof TenantSetting>;

/** Editable settings; an omitted map security code stays unchanged. */
export const TenantSettingDraft = Strict({
  ...plainFields,
  ...Type.Partial(Type.Object({ revealsPerDay, codesPerHour, ...security, ...retention }))
    .properties,
  mapCode: Type.Optional(
    Type.String({ title: "地图安全密钥", pattern: HEX_KEY, examples: [HEX_EXAMPLE] }),
  ),
});
export type TenantSettingDraft = Static<typeof TenantSettingDraft>;

const LogoFile = Type.Object({ id: Uuid });

/** Platform staff may select a tenant. */
const ofTenant = { tenantId: Type.Optional(TenantId) };

export const tenantSettingContract = {
  setting: endpoint({
    method: "GET",
    path: "/admin/v1/tenant-setting",
    access: "tenant-setting:read",
    summary: "租户其他配置；不含地图安全密钥",
    query: Strict(ofTenant),
    reply: TenantSetting,
  }),
  saveSetting: endpoint({
    method: "PUT",
    path: "/admin/v1/tenant-setting",
    access: "tenant-setting:write",
    risk: "data",
    summary: "修改租户其他配置",
    body: Strict({
      ...TenantSettingDraft.properties,
      ...ofTenant,
      editVersion: EditVersionOrNew,
    }),
    reply: Nothing,
  }),
  uploadLogo: endpoint({
    method: "POST",
    path: "/admin/v1/tenant-setting/logo",
    access: "tenant-setting:write",
    risk: "routine",
    summary: "上传 Logo 图片",
    bodyForm: "multipart",
    uploads: ["IMAGE"],
    body: Strict(ofTenant),
    reply: LogoFile,
  }),
  logo: endpoint({
    method: "GET",
    path: "/admin/v1/tenant-setting/logo/{fileId}",
    access: "signed-in",
    summary: "Logo 图片",
    params: Strict({ fileId: Uuid }),
    replyForm: "file",
    reply: StoredFile,
  }),
  shell: endpoint({
    method: "GET",
    path: "/admin/v1/tenant-setting/shell",
    access: "signed-in",
    summary: "界面所需：设备异常提醒、Logo 与本账号的姓名",
    reply: Type.Object({
      isHint: Type.Boolean(),
      logoId: Nullable(Uuid),
      displayName: Type.String({ description: "本账号的姓名" }),
    }),
  }),
};
