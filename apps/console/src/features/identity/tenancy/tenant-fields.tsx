// Form fields of a tenant: terms, functions and first account.
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { FIRST_PASSWORD_DAYS } from "@cabinet/contract/identity/auth/password.rules.ts";
import {
  FirstAccount,
  type TenantDetail,
  TermFields,
  tenancyContract,
} from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import { isWithholdable } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { PHONE_HINT } from "@cabinet/contract/kit/phone.rules.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import { type Static, Type } from "typebox";
import { HiddenPhoneInput } from "../../../domain/hidden-phone.tsx";
import { NewPasswordInput } from "../../../domain/key/new-password-input.tsx";
import { CheckTree } from "../../../domain/menu/check-tree.tsx";
import { call } from "../../../kit/api.ts";
import { useCall } from "../../../kit/query.ts";
import type { Control } from "../../../ui/form/control.ts";
import { counted } from "../../../ui/form/counted.ts";
import { DayInput } from "../../../ui/form/day-input.tsx";
import { PhoneInput } from "../../../ui/form/phone-input.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { offeredTree, tickedOf, withheldOf } from "./withheld.rules.ts";
import "../../../ui/display/basics.css";

export const TermForm = Type.Object({
  ...TermFields,
  withheldIds: Type.Optional(Type.Array(Type.Integer())),
});
export type TermForm = Static<typeof TermForm>;

export const NewTenantForm = Type.Object({
  ...TermForm.properties,
  expiresOn: Type.Optional(Type.String()),
  ...FirstAccount.properties,
});
export type NewTenantForm = Static<typeof NewTenantForm>;

export const revealContact = (id: number) => async () =>
  (await call(tenancyContract.showContact, { params: { id } })).contactPhone;

const limit = <InputNumber min={1} precision={0} placeholder="不限" />;

function contactFields(tenant: TenantDetail | null): FieldOf<typeof TermForm>[] {
  const known = tenant && {
    masked: tenant.contactPhone,
    reveal: revealContact(tenant.id),
  };
  return [
    {
      name: "contactName",
      label: "联系人",
      control: <Input placeholder="租户一方的负责人" />,
      section: "联系人",
    },
    {
      name: "contactPhone",
      label: "联系电话",
      control: <HiddenPhoneInput placeholder={PHONE_HINT} {...(known && { known })} />,
      hint: "列表中隐藏中间四位；查看完整号码会记入操作审计",
    },
  ];
}

const remark: FieldOf<typeof TermForm> = {
  name: "remark",
  label: "备注",
  control: <Input.TextArea rows={2} count={counted(200)} />,
  hint: "仅平台可见",
  isWide: true,
};

const functions: FieldOf<typeof TermForm> = {
  name: "withheldIds",
  label: "开通的菜单与操作",
  control: <FunctionsInput />,
  hint: "未开通的，租户的任何账号和角色都不能使用；以后可以随时调整",
  section: "功能范围",
  isWide: true,
};

const limits: FieldOf<typeof TermForm>[] = [
  {
    name: "maxOperators",
    label: "账号上限（不填为不限）",
    control: limit,
    hint: "停用的账号不计入",
  },
  {
    name: "maxCabinets",
    label: "设备上限（不填为不限）",
    control: limit,
    hint: "停用的设备不计入；分配设备时检查",
  },
  {
    name: "maxStorageMb",
    label: "文件上限（MB，不填为不限）",
    control: limit,
    hint: "广告、图片、照片等上传的文件；上传时检查",
  },
  {
    name: "maxRequests",
    label: "请求上限（次/分钟，不填为不限）",
    control: <InputNumber min={60} precision={0} placeholder="不限" />,
    hint: "控制台与第三方接口合计；开门和用户端不受限",
  },
  {
    name: "maxExports",
    label: "同时导出上限（不填为不限）",
    control: limit,
    hint: "全部账号合计；每个账号最多 2 个",
  },
  {
    name: "maxLiveChannels",
    label: "同时在线页面数（不填为不限）",
    control: limit,
    hint: "每个打开的控制台页面算一个",
  },
];

/** `isPlatform`: the platform tenant has every function and no limits. */
export function termFields(
  tenant: TenantDetail | null,
  isPlatform = false,
): FieldOf<typeof TermForm>[] {
  const name: FieldOf<typeof TermForm> = {
    name: "name",
    label: "租户名称",
    control: <Input placeholder="如：杭州云柜科技有限公司" />,
    section: "基本信息",
  };
  if (isPlatform) return [name, ...contactFields(tenant), remark];
  const wideName: FieldOf<typeof TermForm> = tenant ? { ...name, isWide: true } : name;
  return [wideName, ...limits, remark, ...contactFields(tenant), functions];
}

export function newTenantFields(today: string): FieldOf<typeof NewTenantForm>[] {
  const [name, ...others] = termFields(null);
  const expiry: FieldOf<typeof NewTenantForm> = {
    name: "expiresOn",
    label: "到期日（不填为长期有效）",
    control: <DayInput from={today} placeholder="长期有效" />,
    hint: "到期日当天有效；到期后账号不能登录，已存的物品仍可取出",
  };
  const account: FieldOf<typeof NewTenantForm>[] = [
    {
      name: "username",
      label: "账号",
      control: <Input autoComplete="off" placeholder="用于登录，如：yungui" />,
      section: "首个账号",
      hint: "默认获得“运营管理员”角色，可管理本租户的其他账号",
    },
    {
      name: "displayName",
      label: "姓名",
      control: <Input autoComplete="off" />,
    },
    {
      name: "password",
      label: "初始密码",
      control: <FirstPasswordInput />,
      hint: `${FIRST_PASSWORD_DAYS} 天内首次登录，登录后须修改`,
    },
    {
      name: "phone",
      label: "手机号",
      control: <PhoneInput placeholder={PHONE_HINT} />,
    },
  ];
  const scope = others.filter((field) => field === functions);
  const rest = others.filter((field) => field !== functions);
  return name ? [name, expiry, ...rest, ...account, ...scope] : [];
}

function FirstPasswordInput(props: Control<string>) {
  const username = Form.useWatch<string | undefined>("username") ?? "";
  return <NewPasswordInput {...props} username={username} />;
}

/** Menu entries that tenants can have; undefined while loading. */
export function useOfferedTree() {
  const menu = useCall(accessContract.menuTree, {}, { staleTime: 60_000 });
  return { tree: menu.data && offeredTree(menu.data), error: menu.error };
}

/** The value holds the topmost withheld entries. */
function FunctionsInput({ id, value = [], onChange }: Control<readonly number[], number[]>) {
  const { tree, error } = useOfferedTree();
  if (!tree) return <output className="ui-cell-none">{error?.message ?? "正在加载…"}</output>;
  return (
    <CheckTree
      {...(id && { id })}
      tree={tree}
      value={tickedOf(tree, value)}
      blocked={({ uri }) => (isWithholdable(uri) ? undefined : "每个租户都有")}
      onChange={(ticked) => onChange?.(withheldOf(tree, ticked))}
    />
  );
}
