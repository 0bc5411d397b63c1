// 新增租户 and, with `?id=`, 编辑租户: terms, functions and, for a new tenant, the first account.
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import {
  type TenantDetail,
  tenancyContract,
} from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import {
  PLATFORM_TENANT_ID,
  TENANT_LIMITS,
  type TenantLimits,
  USUAL_LIMITS,
} from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { useRef, useState } from "react";
import { type FirstPassword, PasswordOnce } from "../../../domain/key/password-once.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { EditPage, NoRecord } from "../../../ui/display/one-record.tsx";
import { FormPage } from "../../../ui/form/form-frames.tsx";
import { tenantChanged } from "./tenant-actions.tsx";
import { NewTenantForm, newTenantFields, TermForm, termFields } from "./tenant-fields.tsx";

const list = { path: "/register/index", title: "租户列表" } as const;

export default function TenantEditPage() {
  return (
    <EditPage
      noun="租户"
      spec={tenancyContract.get}
      list={list}
      create={<NewTenant />}
      edit={(fetched) => <EditTenant fetched={fetched} />}
    />
  );
}

/** Without those that are empty. */
function givenLimits(values: { [Limit in keyof TenantLimits]?: number | null | undefined }) {
  const given = TENANT_LIMITS.flatMap((limit) => (values[limit] ? [[limit, values[limit]]] : []));
  return Object.fromEntries(given) as Partial<Record<keyof TenantLimits, number>>;
}

/** Request body for a new tenant; empty fields are omitted. */
function termsOf(values: TermForm) {
  const { name, contactName, contactPhone, remark } = values;
  return {
    name,
    ...(contactName && { contactName }),
    ...(contactPhone && { contactPhone }),
    ...givenLimits(values),
    ...(remark && { remark }),
  };
}

/** Request body for an update: an empty field clears the value, an untouched phone is omitted. */
function changedTermsOf(values: TermForm) {
  const { name, contactName, contactPhone, remark } = values;
  const limits = TENANT_LIMITS.map((limit) => [limit, values[limit] ?? null]);
  return {
    name,
    contactName: contactName ?? "",
    ...(contactPhone !== undefined && { contactPhone }),
    ...(Object.fromEntries(limits) as TenantLimits),
    remark: remark ?? "",
    withheldIds: (values.withheldIds ?? []).join(","),
  };
}

/** Leaves the page only after the dialog with the first password was closed. */
function NewTenant() {
  const create = useWrite(tenancyContract.create, tenantChanged);
  const [first, setFirst] = useState<FirstPassword | null>(null);
  const leave = useRef(() => {});
  return (
    <>
      <FormPage
        title="新增租户"
        backTo={list.path}
        schema={NewTenantForm}
        fields={newTenantFields(shanghaiDay(Date.now()))}
        initial={USUAL_LIMITS}
        submitText="新增"
        submit={async (values) => {
          const { expiresOn, withheldIds = [], username, displayName, password } = values;
          const account = { username, displayName, phone: values.phone ?? "", password };
          const until = expiresOn ? { expiresOn } : {};
          await create.mutateAsync({
            body: { ...termsOf(values), ...until, withheldIds, account },
          });
          await new Promise<void>((resolve) => {
            leave.current = resolve;
            setFirst({
              title: `租户“${values.name.trim()}”已新增`,
              displayName,
              username,
              password,
            });
          });
        }}
      />
      <PasswordOnce
        first={first}
        onClose={() => {
          setFirst(null);
          leave.current();
        }}
      />
    </>
  );
}

/** Keeps the `editVersion` it was opened with: a later fetch must not defeat optimistic locking. */
function EditTenant({ fetched }: { fetched: TenantDetail }) {
  const [tenant] = useState(fetched);
  const { id, editVersion } = tenant;
  const update = useWrite(tenancyContract.update, {
    invalidates: [...tenantChanged.invalidates, accessContract.menu],
  });
  if (tenant.state === "DELETED") {
    return <NoRecord title="租户已删除，不能编辑" hint="它的记录仍会保留。" list={list} />;
  }
  return (
    <FormPage
      title={`编辑租户：${tenant.name}`}
      backTo={list.path}
      schema={TermForm}
      fields={termFields(tenant, id === PLATFORM_TENANT_ID)}
      initial={initialOf(tenant)}
      submit={async (values) => {
        await update.mutateAsync({ query: { id, editVersion, ...changedTermsOf(values) } });
        toast.success(`租户“${values.name.trim()}”已保存`);
      }}
    />
  );
}

function initialOf(tenant: TenantDetail): Partial<TermForm> {
  const { name, contactName, remark, withheldIds } = tenant;
  return { name, contactName, remark, withheldIds, ...givenLimits(tenant) };
}
