// Dialogs of one account: assign roles, reset to a first password.

import {
  NewOperator,
  type Operator,
  operatorContract,
  PasswordReset,
} from "@cabinet/contract/identity/operator/operator.contract.ts";
import { NO_ROLES } from "@cabinet/contract/identity/operator/operator.rules.ts";
import { Strict } from "@cabinet/contract/kit/fields.ts";
import Input from "antd/es/input";
import { NewPasswordInput } from "../../../domain/key/new-password-input.tsx";
import type { FirstPassword } from "../../../domain/key/password-once.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { counted } from "../../../ui/form/counted.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { RolesSelect } from "./account-choices.tsx";
import { operatorChanged } from "./operator-changed.ts";

interface AccountDialogProps {
  account: Operator;
  open: boolean;
  onClose: () => void;
}

const RoleChoice = Strict({ roleIds: NewOperator.properties.roleIds });

export function RolesDialog({ account, open, onClose }: AccountDialogProps) {
  const bind = useWrite(operatorContract.bindRoles, operatorChanged);
  const { id, displayName, username } = account;
  return (
    <FormDialog
      open={open}
      title="分配角色"
      schema={RoleChoice}
      fields={[
        {
          name: "roleIds",
          label: "角色",
          control: (
            <RolesSelect
              tenantId={account.tenantId}
              userType={account.userType}
              storeIds={account.stores.map((store) => store.id)}
            />
          ),
          hint: "括号内是门店范围；多个角色的权限合在一起，立即生效。不选则只能看到个人设置",
        },
      ]}
      initial={{ roleIds: account.roles.map((role) => role.id) }}
      submit={async ({ roleIds }) => {
        await bind.mutateAsync({ body: { id, roleIds: roleIds.join(",") || NO_ROLES } });
        toast.success(`“${displayName}”的角色已更新`);
      }}
      onClose={onClose}
    >
      <p className="ui-form-note">
        {displayName}（{username}）
      </p>
    </FormDialog>
  );
}

export interface PasswordDialogProps extends AccountDialogProps {
  onReset: (first: FirstPassword) => void;
}

const { id: _, ...resetFields } = PasswordReset.properties;
const ResetForm = Strict(resetFields);

export function PasswordDialog({ account, open, onClose, onReset }: PasswordDialogProps) {
  const reset = useWrite(operatorContract.resetPassword, operatorChanged);
  const { id, displayName, username } = account;
  return (
    <FormDialog
      open={open}
      title="重置密码"
      schema={ResetForm}
      fields={[
        {
          name: "password",
          label: "新密码",
          control: <NewPasswordInput username={username} />,
        },
        {
          name: "reason",
          label: "原因",
          control: (
            <Input.TextArea
              rows={2}
              maxLength={200}
              count={counted()}
              placeholder="如：本人忘记密码，已当面核实身份"
            />
          ),
          hint: "至少 2 个字，记入操作审计",
        },
      ]}
      submitText="重置"
      submit={async ({ password, reason }) => {
        await reset.mutateAsync({ body: { id, password, reason } });
        onReset({ title: `“${displayName}”的密码已重置`, displayName, username, password });
      }}
      onClose={onClose}
    >
      <p className="ui-form-note">
        <b>
          {displayName}（{username}）
        </b>
        正在使用的登录会立即退出，登录锁定一并解除；用新密码登录后须改成自己的密码。
      </p>
    </FormDialog>
  );
}
