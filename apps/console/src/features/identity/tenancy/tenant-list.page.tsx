// 租户列表: list of tenants with limits and usage; renew, suspend and delete actions.
import {
  type Tenant,
  tenancyContract,
} from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import {
  isClosed,
  PLATFORM_TENANT_ID,
  tenantStateText,
} from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { useState } from "react";
import { ListPage } from "../../../domain/list-page.tsx";
import { pathTo, useNavigate } from "../../../kit/paths.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { enterQuestion } from "../impersonation/index.ts";
import { RenewTenant } from "./renew-tenant.tsx";
import { useTenantActions } from "./tenant-actions.tsx";
import { smsLink, tenantColumns } from "./tenant-columns.tsx";
import { TenantFacts } from "./tenant-detail.tsx";
import { TenantFeatures } from "./tenant-features.tsx";

const within = [7, 15, 30, 60, 90].map((days) => ({ value: days, label: `${days} 天内` }));

const filters = [
  textFilter("keyword", "租户", "名称或联系人"),
  choiceFilter("state", "状态", choicesOf(tenantStateText)),
  choiceFilter("withinDays", "到期时间", within),
  choiceFilter("featureWithinDays", "功能到期", within),
];

export const prefetch = listPrefetch(tenancyContract.list);

export default function TenantListPage() {
  const navigate = useNavigate();
  const { ask, dialog } = useAction();
  const offered = useTenantActions(ask);
  const [renewing, setRenewing] = useState<Tenant | null>(null);
  const [switching, setSwitching] = useState<Tenant | null>(null);

  const actionsOf = (tenant: Tenant): RowAction[] => {
    const { id, state } = tenant;
    const edit = { key: "edit", label: "编辑", to: pathTo("/register/registerAdd", { id }) };
    const sms = { key: "sms", label: "短信", to: smsLink(id) };
    const exemption = {
      key: "exemption",
      label: tenant.factorExemptUntil ? "结束两步验证例外" : "两步验证例外",
      run: () => offered.exempt(tenant),
    };
    if (id === PLATFORM_TENANT_ID) return [edit, sms, exemption];
    if (state === "DELETED") return [sms];
    return [
      edit,
      { key: "renew", label: "续期", run: () => setRenewing(tenant) },
      { key: "features", label: "可选功能", run: () => setSwitching(tenant) },
      { key: "visit", label: "进入租户", run: () => ask(enterQuestion(tenant)) },
      sms,
      {
        key: "operators",
        label: "账号",
        to: pathTo("/user/operationAdmin", { tenantId: id }),
      },
      exemption,
      state === "SUSPENDED"
        ? { key: "resume", label: "恢复", run: () => offered.resume(tenant) }
        : { key: "suspend", label: "停用", isDanger: true, run: () => offered.suspend(tenant) },
      {
        key: "delete",
        label: "删除",
        isDanger: true,
        blocked: isClosed(state) ? undefined : "先停用，才能删除",
        run: () => offered.remove(tenant),
      },
    ];
  };

  return (
    <>
      <ListPage
        title="租户列表"
        spec={tenancyContract.list}
        filters={filters}
        columns={tenantColumns}
        rowKey={(tenant) => tenant.id}
        toolbar={
          <Button type="primary" onClick={() => void navigate("/register/registerAdd")}>
            新增租户
          </Button>
        }
        actions={{ width: 132, of: (tenant) => tenant.name, list: actionsOf }}
        detail={{
          title: (tenant) => tenant.name,
          body: (tenant) => <TenantFacts tenant={tenant} />,
        }}
        emptyHint="新增租户并分配设备后，其账号即可登录使用"
      />
      {dialog}
      <RenewTenant tenant={renewing} onClose={() => setRenewing(null)} />
      <TenantFeatures tenant={switching} onClose={() => setSwitching(null)} />
    </>
  );
}
