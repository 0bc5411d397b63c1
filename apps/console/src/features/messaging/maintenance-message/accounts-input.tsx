// Form control that picks accounts to notify; marks accounts that no text message reaches.
import {
  maintenanceMessageContract,
  type NoticeAccount,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import Select from "antd/es/select";
import { useCall } from "../../../kit/query.ts";
import type { Control } from "../../../ui/form/control.ts";

export interface AccountsInputProps extends Control<number[]> {
  tenantId: number;
  label: string;
  /** Accounts chosen earlier; may be disabled by now. */
  named: readonly NoticeAccount[];
}

const kindText = { 0: "管理员", 1: "运营", 2: "运维" } as const;

export function AccountsInput({ tenantId, label, named, id, value, onChange }: AccountsInputProps) {
  const { data } = useCall(
    maintenanceMessageContract.accounts,
    { query: { tenantId } },
    { staleTime: 30_000 },
  );
  const all = new Map([...named, ...(data ?? [])].map((account) => [account.id, account]));
  return (
    <Select
      mode="multiple"
      {...(id && { id })}
      aria-label={label}
      placeholder="不指定"
      loading={!data}
      showSearch={{ optionFilterProp: "label" }}
      notFoundContent={data ? "没有可选的账号" : "正在加载…"}
      value={value ?? []}
      options={[...all.values()].map((account) => ({ value: account.id, label: textOf(account) }))}
      onChange={(ids: number[]) => onChange?.(ids)}
    />
  );
}

function textOf({ name, userType, hasPhone, isDisabled }: NoticeAccount): string {
  const notes = [
    kindText[userType],
    isDisabled ? "已停用" : null,
    hasPhone ? null : "无手机号",
  ].filter(Boolean);
  return `${name}（${notes.join("，")}）`;
}
