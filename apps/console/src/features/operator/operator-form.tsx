// 新增账号 and 编辑账号, in a drawer: who it is, what kind of account, at which stores.
import type { UserType } from "@cabinet/contract/auth/auth.contract.ts";
import { TenantId } from "@cabinet/contract/kit/fields.ts";
import {
  NewOperator,
  type Operator,
  OperatorUpdate,
  operatorContract,
} from "@cabinet/contract/operator/operator.contract.ts";
import {
  operatorPhoneProblem,
  USERNAME_HINT,
  userTypeText,
} from "@cabinet/contract/operator/operator.rules.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import { type Static, Type } from "typebox";
import { toast } from "../../kit/feedback.ts";
import { useIsPlatform } from "../../kit/permission.ts";
import { useWrite } from "../../kit/query.ts";
import { useSignedIn } from "../../kit/session.ts";
import { FormDrawer } from "../../ui/form-frames.tsx";
import { HiddenPhoneInput } from "../../ui/hidden-phone.tsx";
import { NewPasswordInput } from "../../ui/new-password-input.tsx";
import type { FirstPassword } from "../../ui/password-once.tsx";
import type { Field } from "../../ui/record-form.tsx";
import { KindChoice, RolesSelect, StoresSelect, TenantSelect } from "./account-choices.tsx";
import { operatorChanged } from "./operator-changed.ts";
import { useRevealPhone } from "./operator-phone.tsx";

const PHONE_EXAMPLE = "11 位手机号，选填";
const PLATFORM = 1;

const NewForm = Type.Object({ ...NewOperator.properties, tenantId: TenantId });
const { id: _, editVersion: __, ...editFields } = OperatorUpdate.properties;
const EditForm = Type.Object(editFields);

const nameField: Field = {
  name: "displayName",
  label: "姓名",
  control: <Input maxLength={20} placeholder="真实姓名，出现在操作记录中" />,
};
const remarkField: Field = {
  name: "remark",
  label: "备注",
  control: <Input.TextArea rows={2} maxLength={200} showCount />,
};
const phoneProblem = (value: unknown) => operatorPhoneProblem(String(value ?? ""));
const useTyped = <Value,>(name: string) => Form.useWatch<Value | undefined>(name);

export interface NewOperatorFormProps {
  open: boolean;
  /** Of the list that it is opened from. */
  userType: Extract<UserType, 1 | 2>;
  onMade: (first: FirstPassword) => void;
  onClose: () => void;
}

export function NewOperatorForm({ open, userType, onMade, onClose }: NewOperatorFormProps) {
  const isPlatform = useIsPlatform();
  const { tenantId } = useSignedIn();
  const add = useWrite(operatorContract.add, operatorChanged);
  const what = userTypeText[userType];
  const submit = async (values: Partial<Static<typeof NewForm>>) => {
    const { username = "", displayName = "", password = "" } = values;
    const body = {
      tenantId: values.tenantId ?? tenantId,
      userType: values.userType ?? userType,
      ...{ username, displayName, password },
      phone: values.phone ?? "",
      roleIds: values.userType === 0 ? [] : (values.roleIds ?? []),
      storeIds: values.storeIds ?? [],
      remark: values.remark ?? "",
    };
    await add.mutateAsync({ body });
    onMade({ title: `${what}“${displayName}”已新增`, displayName, username, password });
  };
  return (
    <FormDrawer
      open={open}
      title={`新增${what}`}
      width={520}
      schema={isPlatform ? NewForm : Type.Omit(NewForm, ["tenantId"])}
      fields={newFields({ isPlatform, tenantId, userType })}
      initial={{ userType, roleIds: [], storeIds: [] }}
      submit={submit}
      submitText="新增"
      onClose={onClose}
    />
  );
}

interface NewFieldsInput {
  isPlatform: boolean;
  tenantId: number;
  userType: UserType;
}

function newFields({ isPlatform, tenantId, userType }: NewFieldsInput): Field[] {
  const own = isPlatform ? undefined : tenantId;
  const tenantField: Field = { name: "tenantId", label: "租户", control: <TenantSelect /> };
  const kindField: Field = {
    name: "userType",
    label: "类型",
    control: <NewKind />,
    hint: "管理员拥有平台的全部权限，只属于平台自己；运营人员的权限由角色决定",
  };
  return [
    ...(isPlatform ? [tenantField] : []),
    ...(isPlatform && userType === 1 ? [kindField] : []),
    nameField,
    {
      name: "username",
      label: "账号",
      control: <Input autoComplete="off" maxLength={32} placeholder="用于登录，不能重复" />,
      hint: `${USERNAME_HINT}；新增后不能更改`,
    },
    {
      name: "phone",
      label: "手机号",
      control: <Input type="tel" maxLength={11} placeholder={PHONE_EXAMPLE} />,
      hint: "用于接收维护消息；列表中隐藏中间四位",
      problem: phoneProblem,
    },
    {
      name: "roleIds",
      label: "角色",
      control: <NewRoles own={own} />,
      hint: "决定能看到哪些页面、能做哪些操作",
      section: "权限与门店",
    },
    {
      name: "storeIds",
      label: "负责的门店",
      control: <NewStores own={own} />,
      hint: storesHint(userType),
    },
    {
      name: "password",
      label: "初始密码",
      control: <NewPassword />,
      section: "登录",
    },
    remarkField,
  ];
}

function storesHint(userType: UserType): string {
  return userType === 2
    ? "只能看到这些门店的设备、订单和故障；不选则什么设备也看不到"
    : "角色的门店范围为“本人负责的门店”时，只能看到这些门店";
}

function NewKind(props: object) {
  const tenantId = useTyped<number>("tenantId");
  return <KindChoice {...props} kinds={tenantId === PLATFORM ? [0, 1] : [1]} />;
}

function NewRoles({ own, ...control }: { own: number | undefined }) {
  const tenantId = useTyped<number>("tenantId");
  const userType = useTyped<UserType>("userType");
  if (userType === 0) return <span className="ui-form-note">管理员拥有全部权限，不需要角色</span>;
  return <RolesSelect {...control} tenantId={own ?? tenantId} />;
}

function NewStores({ own, ...control }: { own: number | undefined }) {
  const tenantId = useTyped<number>("tenantId");
  return <StoresSelect {...control} tenantId={own ?? tenantId} />;
}

function NewPassword(props: object) {
  return <NewPasswordInput {...props} username={useTyped<string>("username") ?? ""} />;
}

export interface OperatorFormProps {
  /** Null: closed. */
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
  const fields: Field[] = [
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
      problem: phoneProblem,
    },
  ];
  // Nobody changes what they themselves may see.
  const reach: Field[] = [
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
      control: <StoresSelect tenantId={account.tenantId} />,
      hint: storesHint(userType),
    },
  ];
  return (
    <FormDrawer
      open={open}
      title={`编辑账号：${account.username}`}
      width={520}
      schema={EditForm}
      fields={[...fields, ...(isOneself ? [] : reach), remarkField]}
      initial={{ displayName, userType, storeIds, remark }}
      submit={async (values: Partial<Static<typeof EditForm>>) => {
        const { phone } = values;
        await update.mutateAsync({
          body: {
            id,
            editVersion,
            userType: values.userType ?? userType,
            displayName: values.displayName ?? "",
            ...(phone !== undefined && { phone }),
            storeIds: values.storeIds ?? storeIds,
            remark: values.remark ?? "",
          },
        });
        toast.success("账号已保存");
      }}
      onClose={onClose}
    />
  );
}
