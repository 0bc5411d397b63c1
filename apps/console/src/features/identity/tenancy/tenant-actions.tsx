// Actions that suspend, resume and delete tenants; each dialog explains its effect.
import { deviceStockContract } from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import {
  type Tenant,
  tenancyContract,
} from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import { remainsText } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import type { useAction } from "../../../ui/display/action.tsx";
import { exemptionQuestion } from "../second-factor/index.ts";
import "./tenancy.css";

export const tenantChanged = { invalidates: [deviceStockContract.list] };

const GOODS_STAY = "设备保持在线，已存的物品可照常取出并结清费用。";

export function useTenantActions(ask: ReturnType<typeof useAction>["ask"]) {
  const suspend = useWrite(tenancyContract.suspend, tenantChanged);
  const resume = useWrite(tenancyContract.resume, tenantChanged);
  const exempt = useWrite(tenancyContract.exemptFromFactor, tenantChanged);
  const remove = useWrite(tenancyContract.delete, tenantChanged);

  return {
    suspend({ id, name, operators }: Tenant) {
      ask({
        title: "停用租户",
        effect: (
          <>
            <p>
              租户<b>“{name}”</b>的 {operators} 个账号将立即退出，不能登录。
            </p>
            <p>用户不能再存件、购买套餐或注册。{GOODS_STAY}</p>
          </>
        ),
        confirm: "停用",
        isDanger: true,
        reasons: ["合同到期未续", "欠费", "租户申请停用", "违规经营"],
        run: (reason) => suspend.mutateAsync({ params: { id }, body: { reason } }),
        done: `租户“${name}”已停用`,
      });
    },

    resume({ id, name, daysLeft }: Tenant) {
      const isOver = daysLeft !== null && daysLeft < 0;
      ask({
        title: "恢复租户",
        effect: (
          <>
            租户<b>“{name}”</b>的账号可重新登录，用户可重新存件。
            {isOver && <p>它已过到期日：恢复后仍不能登录，还需续期。</p>}
          </>
        ),
        confirm: "恢复",
        reasons: ["已续约", "已付清费用", "误操作恢复"],
        run: (reason) => resume.mutateAsync({ params: { id }, body: { reason } }),
        done: `租户“${name}”已恢复`,
      });
    },

    exempt({ id, name, factorExemptUntil }: Tenant) {
      ask(
        exemptionQuestion({
          who: (
            <>
              租户<b>“{name}”</b>的所有账号
            </>
          ),
          name: `租户“${name}”`,
          isExempt: factorExemptUntil !== null,
          write: (body) => exempt.mutateAsync({ params: { id }, body }),
        }),
      );
    },

    remove(tenant: Tenant) {
      ask({
        title: "删除租户",
        effect: <DeleteEffect tenant={tenant} />,
        confirm: "删除",
        isDanger: true,
        run: () => remove.mutateAsync({ params: { id: tenant.id } }),
        done: `租户“${tenant.name}”已删除`,
      });
    },
  };
}

/** Effect of the deletion, and what must be settled first. */
function DeleteEffect({ tenant }: { tenant: Tenant }) {
  const { id, name, operators, smsLeft } = tenant;
  const remains = useCall(tenancyContract.remains, { params: { id } }, { staleTime: 0 });
  const lines = remains.data ? remainsText(remains.data) : [];
  return (
    <>
      <p>
        租户<b>“{name}”</b>将被删除，不能恢复：它的 {operators}{" "}
        个账号不能再登录，名称可供别的租户使用。
      </p>
      <p>订单、资金和日志记录仍会保留。</p>
      {smsLeft > 0 && <p>剩余的 {smsLeft} 条短信将作废。</p>}
      {remains.isPending && <p>正在核对设备、物品与款项…</p>}
      {remains.error && <p>{remains.error.message}</p>}
      {lines.length > 0 && (
        <>
          <p>
            <b>还不能删除，须先处理：</b>
          </p>
          <ul className="tenant-remains">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      {remains.data && lines.length === 0 && <p>已核对：没有设备、物品和未结清的款项。</p>}
    </>
  );
}
