// Form control for the audience: app users, or kinds of accounts, for the platform also limited to
// tenants.

import { userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import {
  type AnnouncementAudience,
  announcementAudienceText,
} from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import { tenantContract } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import Checkbox from "antd/es/checkbox";
import Radio from "antd/es/radio";
import { useCall } from "../../../kit/query.ts";
import type { Control } from "../../../ui/form/control.ts";
import { ManySelect, type Named } from "../../../ui/form/many-select.tsx";
import "./announcement.css";

export interface Audience {
  kind: AnnouncementAudience;
  userTypes: UserType[];
  /** Null: the accounts of all tenants. */
  tenants: readonly Named[] | null;
}

interface AudienceInputProps extends Control<Audience> {
  /** A platform announcement may be limited to the accounts of some tenants. */
  isOfPlatform: boolean;
  /** A version notice is for operators. */
  isVersion: boolean;
  /**
   * Already published: the choice between app users and accounts is fixed, as they may have seen
   * it.
   */
  isFixed: boolean;
}

export const everyAccount: Audience = { kind: "OPERATOR", userTypes: [0, 1, 2], tenants: null };

export function audienceProblem(value: unknown): string | null {
  const { kind, userTypes, tenants } = value as Audience;
  if (kind === "END_USER") return null;
  if (userTypes.length === 0) return "请至少选择一种账号";
  return tenants?.length === 0 ? "请选择接收的租户，或改为全部租户" : null;
}

export function AudienceInput(props: AudienceInputProps) {
  const { isOfPlatform, isVersion, isFixed, id, value = everyAccount, onChange } = props;
  const change = (more: Partial<Audience>) => onChange?.({ ...value, ...more });
  const isForAccounts = isVersion || value.kind === "OPERATOR";
  return (
    <div className="announcement-audience" {...(id && { id })}>
      {!isVersion && (
        <Radio.Group
          aria-label="接收人群"
          disabled={isFixed}
          value={value.kind}
          options={Object.entries(announcementAudienceText).map(([word, label]) => ({
            value: word,
            label,
          }))}
          onChange={({ target }) => change({ kind: target.value as AnnouncementAudience })}
        />
      )}
      {isForAccounts && !isVersion && (
        <Checkbox.Group
          aria-label="账号类型"
          value={value.userTypes}
          options={([0, 1, 2] as const).map((type) => ({ value: type, label: userTypeText[type] }))}
          onChange={(types) => change({ userTypes: types as UserType[] })}
        />
      )}
      {isForAccounts && isOfPlatform && (
        <>
          <Radio.Group
            aria-label="接收租户"
            value={value.tenants === null ? "ALL" : "SOME"}
            options={[
              { value: "ALL", label: "全部租户" },
              { value: "SOME", label: "指定租户" },
            ]}
            onChange={({ target }) => change({ tenants: target.value === "ALL" ? null : [] })}
          />
          {value.tenants !== null && (
            <TenantsSelect chosen={value.tenants} onChange={(tenants) => change({ tenants })} />
          )}
        </>
      )}
    </div>
  );
}

function TenantsSelect(props: {
  chosen: readonly Named[];
  onChange: (chosen: readonly Named[]) => void;
}) {
  const tenants = useCall(tenantContract.options, {}, { staleTime: 60_000 });
  return <ManySelect {...props} label="租户" options={tenants.data} />;
}
