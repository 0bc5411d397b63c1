// 复制角色: another role that grants the same, under a name of its own.
import { type Role, roleContract } from "@cabinet/contract/access/role.contract.ts";
import Input from "antd/es/input";
import { useState } from "react";
import { toast } from "../../kit/feedback.ts";
import { useWrite } from "../../kit/query.ts";
import { FormDialog } from "../../ui/form-frames.tsx";
import { roleChanged } from "./role-actions.tsx";

export interface RoleCopyProps {
  /** Null: closed. */
  role: Role | null;
  onClose: () => void;
}

export function RoleCopy({ role, onClose }: RoleCopyProps) {
  // The role stays named while the dialog closes.
  const [shown, setShown] = useState(role);
  if (role && role !== shown) setShown(role);
  const copy = useWrite(roleContract.copy, roleChanged);
  return (
    <FormDialog
      open={role !== null}
      title={`复制角色：${shown?.name ?? ""}`}
      schema={roleContract.copy.body}
      fields={[
        {
          name: "name",
          label: "新角色名称",
          control: <Input maxLength={20} />,
          hint: "功能权限和门店范围与原角色相同，没有成员",
        },
      ]}
      initial={{ name: `${(shown?.name ?? "").slice(0, 17)} 副本` }}
      submitText="复制"
      submit={async ({ name }) => {
        await copy.mutateAsync({ params: { id: shown?.id ?? 0 }, body: { name } });
        toast.success(`角色“${name.trim()}”已新增`);
      }}
      onClose={onClose}
    />
  );
}
