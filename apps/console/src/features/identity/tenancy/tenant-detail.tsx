// Detail view of one tenant: limits with usage, contact and withheld functions.
import {
  type Tenant,
  tenancyContract,
} from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import { PLATFORM_TENANT_ID } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { HiddenPhone } from "../../../domain/hidden-phone.tsx";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useCall } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { smsLink } from "./tenant-columns.tsx";
import { expiryText, TenantStatus, UseOfLimit } from "./tenant-display.tsx";
import { featureFacts } from "./tenant-features.tsx";
import { revealContact, useOfferedTree } from "./tenant-fields.tsx";
import { scopeText } from "./withheld.rules.ts";
import "../../../ui/display/basics.css";
import "./tenancy.css";

export function TenantFacts({ tenant }: { tenant: Tenant }) {
  const { id, contactName, contactPhone } = tenant;
  return (
    <>
      <DrawerSection title="服务">
        <Facts facts={termFacts(tenant)} />
      </DrawerSection>
      <DrawerSection title="用量">
        <Facts facts={usageFacts(tenant)} />
      </DrawerSection>
      {id !== PLATFORM_TENANT_ID && (
        <DrawerSection title="可选功能">
          <Facts facts={featureFacts(tenant)} />
        </DrawerSection>
      )}
      <DrawerSection title="联系人">
        <Facts
          facts={[
            ["联系人", contactName || null],
            [
              "联系电话",
              <HiddenPhone
                key={`${id} ${contactPhone}`}
                masked={contactPhone}
                reveal={revealContact(id)}
              />,
            ],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="功能范围">
        <Functions id={id} />
      </DrawerSection>
      <Link className="ui-link" to={pathTo("/set/audit", { target: `租户 ${tenant.name}` })}>
        查看续期、停用等操作记录
      </Link>
    </>
  );
}

function termFacts(tenant: Tenant): DescriptionItem[] {
  const suspended: DescriptionItem[] =
    tenant.state === "SUSPENDED"
      ? [
          ["停用时间", formatDateTime(tenant.suspendedAt)],
          ["停用原因", tenant.suspendReason],
        ]
      : [];
  const deleted: DescriptionItem[] = tenant.deletedAt
    ? [["删除时间", formatDateTime(tenant.deletedAt)]]
    : [];
  return [
    ["租户编号", tenant.id],
    ["状态", <TenantStatus key="v" tenant={tenant} />],
    ["到期日", expiryText(tenant)],
    ...suspended,
    ...deleted,
    ["开通时间", formatDateTime(tenant.createdAt)],
    ["两步验证例外至", tenant.factorExemptUntil && formatDateTime(tenant.factorExemptUntil)],
    ["备注", tenant.remark || null],
  ];
}

function usageFacts(tenant: Tenant): DescriptionItem[] {
  const { id, operators, maxOperators, cabinets, maxCabinets, smsLeft } = tenant;
  const { storageMb, maxStorageMb, requests, maxRequests } = tenant;
  return [
    [
      "账号",
      <Link key="v" className="ui-link" to={pathTo("/user/operationAdmin", { tenantId: id })}>
        <UseOfLimit count={operators} max={maxOperators} />
      </Link>,
    ],
    [
      "设备",
      <Link key="v" className="ui-link" to={pathTo("/cupboard/index", { tenantId: id })}>
        <UseOfLimit count={cabinets} max={maxCabinets} />
      </Link>,
    ],
    ["文件（MB）", <UseOfLimit key="v" count={storageMb} max={maxStorageMb} />],
    [
      "请求（次/分钟）",
      <span key="v" title="近一小时内最多的一分钟，控制台与第三方接口合计">
        <UseOfLimit count={requests} max={maxRequests} />
        （近一小时最高）
      </span>,
    ],
    ["进行中的导出", <UseOfLimit key="v" count={tenant.exports} max={tenant.maxExports} />],
    ["实时通道", <UseOfLimit key="v" count={tenant.liveChannels} max={tenant.maxLiveChannels} />],
    [
      "短信余额",
      <Link key="v" className="ui-link" to={smsLink(id)}>
        {formatNumber(smsLeft)} 条
      </Link>,
    ],
  ];
}

function Functions({ id }: { id: number }) {
  const answer = useCall(tenancyContract.get, { params: { id } });
  const { tree, error } = useOfferedTree();
  const failure = answer.error ?? error;
  if (failure) return <p className="ui-cell-none">{failure.message}</p>;
  if (!answer.data || !tree) return <p className="ui-cell-none">正在加载…</p>;
  if (id === PLATFORM_TENANT_ID) return <>全部功能，以及租户管理与权限列表</>;
  const withheld = scopeText(tree, answer.data.withheldIds);
  if (withheld.length === 0) return <>全部功能</>;
  return (
    <>
      <p>未开通以下 {withheld.length} 项（连同其下的全部）：</p>
      <ul className="tenant-functions">
        {withheld.map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ul>
    </>
  );
}
