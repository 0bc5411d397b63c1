// 新增账号 and 编辑账号 drawers: identity, kind of account, roles and stores.
import { FIRST_PASSWORD_DAYS } from "@cabinet/contract/identity/auth/password.rules.ts";
import {
  NewOperator,
  type Operator,
  OperatorUpdate,
  operatorContract,
} from "@cabinet/contract/identity/operator/operator.contract.ts";
import { USERNAME_HINT, userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import { Id, TenantId } from "@cabinet/contract/kit/fields.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import { useEffect, useState } from "react";
import { type Static, Type } from "typebox";
import { HiddenPhoneInput } from "../../../domain/hidden-phone.tsx";
import { NewPasswordInput } from "../../../domain/key/new-password-input.tsx";
import type { FirstPassword } from "../../../domain/key/password-once.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import type { Control } from "../../../ui/form/control.ts";
import { counted } from "../../../ui/form/counted.ts";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import { PhoneInput } from "../../../ui/form/phone-input.tsx";
import type { Field, FieldOf } from "../../../ui/form/record-form.tsx";
import { AccountTenant, KindChoice, RolesSelect, StoresSelect } from "./account-choices.tsx";
import { operatorChanged } from "./operator-changed.ts";
import { useRevealPhone } from "./operator-phone.tsx";

const PHONE_EXAMPLE = "11 位手机号，选填";
const PLATFORM = 1;

const { storeIds, ...newFields } = NewOperator.properties;
/** New account; roles and stores are not shown for administrators, who have every permission. */
const NewForm = Type.Object({
  ...newFields,
  tenantId: TenantId,
  roleIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 20 })),
  storeIds: Type.Optional(storeIds),
});
const { id: _, editVersion: __, ...editFields } = OperatorUpdate.properties;
const EditForm = Type.Object(editFields);

const nameField: Field<"displayName"> = {
  name: "displayName",
  label: "姓名",
  control: <Input placeholder="真实姓名，出现在操作记录中" />,
};
const remarkField: Field<"remark"> = {
  name: "remark",
  label: "备注",
  control: <Input.TextArea rows={2} count={counted(200)} />,
};
const useTyped = <Value,>(name: string) => Form.useWatch<Value | undefined>(name);

export interface NewOperatorFormProps {
  open: boolean;
  /** Kind of the list that the form is opened from. */
  userType: Extract<UserType, 1 | 2>;
  onMade: (first: FirstPassword) => void;
  onClose: () => void;
}

export function NewOperatorForm({ open, userType, onMade, onClose }: NewOperatorFormProps) {
  const isPlatform = useIsPlatform();
  const { tenantId } = useSignedIn();
  const [kind, setKind] = useState<UserType>(userType);
  const close = () => {
    setKind(userType);
    onClose();
  };
  const add = useWrite(operatorContract.add, operatorChanged);
  const what = userTypeText[userType];
  const submit = async (values: Static<typeof NewForm>) => {
    await add.mutateAsync({ body: { roleIds: [], storeIds: [], ...values } });
    const { username, displayName, password } = values;
    const title = `${userTypeText[values.userType]}“${displayName}”已新增`;
    onMade({ title, displayName, username, password });
  };
  return (
    <FormDrawer
      open={open}
      title={`新增${what}`}
      width={520}
      schema={NewForm}
      fields={fieldsOf({ isPlatform, tenantId, listed: userType, kind, setKind })}
      initial={{ userType, roleIds: [], storeIds: [], ...(!isPlatform && { tenantId }) }}
      submit={submit}
      submitText="新增"
      onClose={close}
    />
  );
}

interface NewFieldsInput {
  isPlatform: boolean;
  tenantId: number;
  /** `listed`: kind of the list that the form is opened from; `kind`: the current choice. */
  listed: UserType;
  kind: UserType;
  setKind: (kind: UserType) => void;
}

function fieldsOf({
  isPlatform,
  tenantId,
  listed,
  kind,
  setKind,
}: NewFieldsInput): FieldOf<typeof NewForm>[] {
  const own = isPlatform ? undefined : tenantId;
  const tenantField: FieldOf<typeof NewForm> = {
    name: "tenantId",
    label: "租户",
    control: <AccountTenant />,
  };
  const kindField: FieldOf<typeof NewForm> = {
    name: "userType",
    label: "类型",
    control: <NewKind onKind={setKind} />,
    hint: "管理员拥有平台全部权限，仅限平台账号；运营人员的权限由角色决定",
  };
  const roleField: FieldOf<typeof NewForm> = {
    section: "权限与门店",
    name: "roleIds",
    label: "角色",
    isRequired: true,
    control: <NewRoles own={own} userType={kind} />,
    hint: "决定能看到哪些页面、能做哪些操作；括号内是门店范围",
  };
  const storeField: FieldOf<typeof NewForm> = {
    name: "storeIds",
    label: "负责的门店",
    control: <NewStores own={own} userType={kind} />,
    hint: storesHint(kind),
  };
  return [
    ...(isPlatform ? [tenantField] : []),
    ...(isPlatform && listed === 1 ? [kindField] : []),
    nameField,
    {
      name: "username",
      label: "账号",
      control: <Input autoComplete="off" placeholder="用于登录，不能重复" />,
      hint: `${USERNAME_HINT}；新增后不能更改`,
    },
    {
      name: "phone",
      label: "手机号",
      control: <PhoneInput placeholder={PHONE_EXAMPLE} />,
      hint: "用于接收维护消息；列表中隐藏中间四位",
    },
    ...(kind === 0 ? [] : [roleField, storeField]),
    {
      name: "password",
      label: "初始密码",
      control: <NewPassword />,
      hint: `${FIRST_PASSWORD_DAYS} 天内首次登录，登录后须修改`,
      section: "登录",
    },
    remarkField,
  ];
}

function storesHint(userType: UserType): string {
  return userType === 2
    ? "只能看到这些门店的设备、订单和故障；不选则看不到任何设备"
    : "只能看到这些门店和角色指定的门店；角色的门店范围是全部门店时不用选";
}

interface NewKindProps extends Control<UserType> {
  onKind: (kind: UserType) => void;
}

function NewKind({ onKind, ...control }: NewKindProps) {
  const kinds: UserType[] = useTyped<number>("tenantId") === PLATFORM ? [0, 1] : [1];
  const { value } = control;
  // Report a kind that the tenant choice has reset: only the platform has administrators.
  useEffect(() => {
    if (value !== undefined) onKind(value);
  }, [value, onKind]);
  return <KindChoice {...control} kinds={kinds} />;
}

interface NewChoiceProps {
  own: number | undefined;
  userType: UserType;
}

function NewRoles({ own, ...control }: NewChoiceProps) {
  const tenantId = useTyped<number>("tenantId");
  return <RolesSelect {...control} tenantId={own ?? tenantId} />;
}

function NewStores({ own, ...control }: NewChoiceProps) {
  const tenantId = useTyped<number>("tenantId");
  const roleIds = useTyped<number[]>("roleIds");
  return <StoresSelect {...control} tenantId={own ?? tenantId} roleIds={roleIds} />;
}

/** Store control for an existing account; its roles are changed in another dialog. */
function AccountStores({ account, ...control }: { account: Operator }) {
  const userType = useTyped<UserType>("userType") ?? account.userType;
  const roleIds = account.roles.map(({ id }) => id);
  return <StoresSelect {...control} {...{ userType, roleIds }} tenantId={account.tenantId} />;
}

function NewPassword(props: object) {
  return <NewPasswordInput {...props} username={useTyped<string>("username") ?? ""} />;
}

export interface OperatorFormProps {
  account: Operator;
  open: boolean;
  onClose: () => void;
}

export function OperatorForm({ account, open, onClose }: OperatorFormProps) {
  const isPlatform = useIsPlatform();
  const { username } = useSignedIn();
  const reveal = useRevealPhone();
  const update = useWrite(operatorContract.update, operatorChanged);
  const { id, editVersion, userType, displayName, remark } = account;
  const storeIds = account.stores.map((store) => store.id);
  const isOneself = account.username === username;
  const usual: UserType[] = isPlatform && account.tenantId === PLATFORM ? [0, 1, 2] : [1, 2];
  const fields: FieldOf<typeof EditForm>[] = [
    nameField,
    {
      name: "phone",
      label: "手机号",
      control: (
        <HiddenPhoneInput
          placeholder={PHONE_EXAMPLE}
          known={{ masked: account.phone, reveal: () => reveal(id) }}
        />
      ),
      hint: "列表中隐藏中间四位；查看完整号码会记入操作审计",
    },
  ];
  // An account cannot change its own kind and stores.
  const scope: FieldOf<typeof EditForm>[] = [
    {
      name: "userType",
      label: "类型",
      control: <KindChoice kinds={[...new Set([userType, ...usual])].toSorted()} />,
      hint: "更改类型后须重新登录；角色不变，请再核对",
      section: "权限与门店",
    },
    {
      name: "storeIds",
      label: "负责的门店",
      control: <AccountStores account={account} />,
      hint: storesHint(userType),
    },
  ];
  return (
    <FormDrawer
      open={open}
      title={`编辑账号：${account.username}`}
      width={520}
      schema={EditForm}
      fields={[...fields, ...(isOneself ? [] : scope), remarkField]}
      initial={{ displayName, userType, storeIds, remark }}
      submit={async (values) => {
        await update.mutateAsync({ body: { id, editVersion, ...values } });
        toast.success("账号已保存");
      }}
      onClose={onClose}
    />
  );
}
