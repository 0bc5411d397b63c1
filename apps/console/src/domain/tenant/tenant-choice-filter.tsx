// Filters by a tenant's records: their choices follow the draft's tenant, and a new tenant clears
// them.
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { useIsPlatform } from "../../kit/permission.ts";
import { useCall } from "../../kit/query.ts";
import {
  type Choice,
  choiceFilter,
  type Filter,
  type FilterControlProps,
} from "../../ui/list/filters.tsx";

/** Tenant part of the query for the choices; empty: all tenants that the account sees. */
export interface OfTenant {
  tenantId?: number;
}

/** Hook that returns the choices of one tenant; undefined while loading. */
type UseChoices = (query: OfTenant) => readonly Choice[] | undefined;

export function tenantChoiceFilter<Name extends string>(
  name: Name,
  label: string,
  useChoices: UseChoices,
): Filter<Name> {
  return {
    label,
    names: [name],
    isOfTenant: true,
    control: (props) => <TenantChoice {...{ name, label, useChoices }} {...props} />,
  };
}

interface TenantChoiceProps extends FilterControlProps {
  name: string;
  label: string;
  useChoices: UseChoices;
}

function TenantChoice({ name, label, useChoices, ...props }: TenantChoiceProps) {
  const tenantId = (useIsPlatform() && Number(props.texts.tenantId)) || undefined;
  const choices = useChoices(tenantId === undefined ? {} : { tenantId });
  return choiceFilter(name, label, choices).control(props);
}

export const namedChoices = (records: readonly { id: number; name: string }[] | undefined) =>
  records?.map(({ id, name }) => ({ value: id, label: name }));

function useStoreChoices(query: OfTenant) {
  const stores = useCall(storeContract.options, { query }, { staleTime: 60_000, toasts: true });
  return namedChoices(stores.data);
}

export const storeFilter = (label = "门店") =>
  tenantChoiceFilter("storeId", label, useStoreChoices);
