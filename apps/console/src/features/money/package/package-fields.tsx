// Form fields of a package, depending on its kind.
import type { Input as CallBody } from "@cabinet/contract/kit/endpoint.ts";
import {
  MAX_PACKAGE_FEN,
  MAX_USES,
  MAX_VALID_DAYS,
  type Package,
  PackageDraft,
  type packageContract,
} from "@cabinet/contract/money/package/package.contract.ts";
import {
  PACKAGE_KINDS,
  type PackageKind,
  packageKindText,
} from "@cabinet/contract/money/package/package.rules.ts";
import { SIDES, sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import Checkbox from "antd/es/checkbox";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import Radio from "antd/es/radio";
import Switch from "antd/es/switch";
import { type Static, Type } from "typebox";
import { TenantSelect } from "../../../domain/tenant/tenant-select.tsx";
import type { Control } from "../../../ui/form/control.ts";
import { counted } from "../../../ui/form/counted.ts";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { YuanInput, yuanProblem } from "../../../ui/form/yuan-input.tsx";

/** Form values; `uses` and `validDays` are required for kinds that have the field. */
export const PackageForm = Type.Object({
  tenantId: Type.Integer({ minimum: 1 }),
  ...PackageDraft.properties,
  bonusFen: Type.Optional(PackageDraft.properties.bonusFen),
  uses: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_USES })),
  validDays: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_VALID_DAYS })),
  isOnSale: Type.Optional(Type.Boolean()),
});
type PackageForm = Static<typeof PackageForm>;

type SaveBody = CallBody<typeof packageContract.save>["body"];

/** Request body; fields that the kind lacks are sent as null or 0. */
export function bodyOf(values: Partial<PackageForm>): SaveBody {
  const { name = "", kind = "BONUS", sides = [], priceFen = 0, bonusFen = 0 } = values;
  const { uses = null, validDays = null, coverLimitFen = null } = values;
  const { remark = "", isOnSale = false } = values;
  return {
    ...{ name, kind, sides, priceFen, bonusFen, uses, validDays, coverLimitFen },
    ...{ remark, isOnSale },
  };
}

/** Initial form values; omits null `uses` and `validDays`, which the form schema forbids. */
export function initialOf(sold: Package): Partial<PackageForm> {
  const { tenantId, uses, validDays, ...rest } = sold;
  return {
    tenantId,
    ...bodyOf(rest),
    ...(uses !== null && { uses }),
    ...(validDays !== null && { validDays }),
  } as Partial<PackageForm>;
}

interface FieldsInput {
  kind: PackageKind;
  isNew: boolean;
  /** Platform staff also choose the tenant of a new package. */
  isPlatform: boolean;
}

const yuan = (
  name: keyof PackageForm,
  label: string,
  placeholder: string,
): FieldOf<typeof PackageForm> => ({
  name,
  label,
  control: <YuanInput placeholder={placeholder} />,
  problem: (value) => yuanProblem(value, label, MAX_PACKAGE_FEN) ?? mustBePositive(value, label),
});

function mustBePositive(value: unknown, label: string): string | null {
  return value === 0 ? `${label}须大于 0` : null;
}

const bonusFields: FieldOf<typeof PackageForm>[] = [
  { ...yuan("priceFen", "充值金额", "如：50"), section: "内容", hint: "用户支付，计入本金" },
  {
    ...yuan("bonusFen", "赠送金额", "如：5"),
    isRequired: true,
    hint: "计入赠金，支付时在本金之后使用",
  },
];

const usesField: FieldOf<typeof PackageForm> = {
  name: "uses",
  label: "可用次数",
  isRequired: true,
  control: <InputNumber precision={0} min={1} suffix="次" placeholder="如：10" />,
  hint: "一个订单只用一次",
};

const cardFields = (kind: PackageKind): FieldOf<typeof PackageForm>[] => [
  { ...yuan("priceFen", "售价", "如：38"), section: "内容", hint: "从用户钱包支付" },
  ...(kind === "USES" ? [usesField] : []),
  {
    name: "validDays",
    label: "有效天数",
    isRequired: true,
    control: <InputNumber precision={0} min={1} suffix="天" placeholder="如：30" />,
    hint: "自购买时起算，到期后未用的次数作废",
  },
  {
    ...yuan("coverLimitFen", "单次最多抵扣", "不限"),
    hint: "留空为不限；超出部分由钱包支付",
  },
];

export function packageFields({
  kind,
  isNew,
  isPlatform,
}: FieldsInput): FieldOf<typeof PackageForm>[] {
  const tenantField: FieldOf<typeof PackageForm> = {
    name: "tenantId",
    label: "租户",
    control: <TenantSelect />,
    isWide: true,
  };
  return [
    ...(isNew && isPlatform ? [tenantField] : []),
    {
      name: "name",
      label: "套餐名称",
      control: <Input placeholder="如：充 50 送 5" />,
    },
    {
      name: "kind",
      label: "套餐类型",
      control: (
        <Radio.Group
          optionType="button"
          disabled={!isNew}
          options={PACKAGE_KINDS.map((value) => ({ value, label: packageKindText[value] }))}
        />
      ),
      hint: isNew ? kindHints[kind] : "类型不能更改，需要时请另建一个套餐",
    },
    ...(kind === "BONUS" ? bonusFields : cardFields(kind)),
    {
      name: "sides",
      label: "适用设备",
      section: "销售",
      control: <SidesChoice />,
      problem: (sides) => (Array.isArray(sides) && sides.length === 0 ? "请选择适用设备" : null),
    },
    {
      name: "isOnSale",
      label: "上架",
      valueName: "checked",
      control: <Switch checkedChildren="在售" unCheckedChildren="下架" />,
      hint: "上架后用户可以购买",
    },
    {
      name: "remark",
      label: "说明",
      control: <Input.TextArea rows={3} count={counted(200)} placeholder="购买时显示给用户" />,
      isWide: true,
    },
  ];
}

/** Takes `value` and `onChange` only: Checkbox.Group must not get the other injected props. */
function SidesChoice({ value = [], onChange }: Control<Side[]>) {
  return (
    <Checkbox.Group
      role="group"
      aria-label="适用设备"
      options={SIDES.map((side) => ({ value: side, label: `${sideText[side]}设备` }))}
      value={value}
      onChange={(sides) => onChange?.(sides)}
    />
  );
}

const kindHints: Record<PackageKind, string> = {
  BONUS: "充值时多送一笔赠金",
  USES: "每个订单用一次，抵扣存放费用",
  PERIOD: "有效期内的订单都能抵扣",
};
