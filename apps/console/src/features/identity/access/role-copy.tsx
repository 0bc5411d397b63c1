// 复制角色: creates a role with the same grants under another name.
import { type Role, roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import Input from "antd/es/input";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { useLast } from "../../../ui/display/use-last.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { roleChanged } from "./role-actions.tsx";

export interface RoleCopyProps {
  /** Null: the dialog is closed. */
  role: Role | null;
  onClose: () => void;
}

export function RoleCopy({ role, onClose }: RoleCopyProps) {
  const shown = useLast(role);
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
          control: <Input />,
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
