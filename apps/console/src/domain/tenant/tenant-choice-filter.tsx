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
  shownFilter,
} from "../../ui/list/filters.tsx";
import type { SearchValues } from "../../ui/list/list-state.ts";

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
    shown: (texts) => <ShownChoice {...{ name, label, useChoices, texts }} />,
  };
}

interface ChoiceOfTenant {
  name: string;
  label: string;
  useChoices: UseChoices;
  texts: SearchValues;
}

function useChoiceFilter({ name, label, useChoices, texts }: ChoiceOfTenant): Filter {
  const tenantId = (useIsPlatform() && Number(texts.tenantId)) || undefined;
  return choiceFilter(name, label, useChoices(tenantId === undefined ? {} : { tenantId }));
}

function TenantChoice(props: ChoiceOfTenant & FilterControlProps) {
  return useChoiceFilter(props).control(props);
}

function ShownChoice(props: ChoiceOfTenant) {
  return shownFilter(useChoiceFilter(props), props.texts);
}

export const namedChoices = (records: readonly { id: number; name: string }[] | undefined) =>
  records?.map(({ id, name }) => ({ value: id, label: name }));

function useStoreChoices(query: OfTenant) {
  const stores = useCall(storeContract.options, { query }, { staleTime: 60_000, toasts: true });
  return namedChoices(stores.data);
}

export const storeFilter = (label = "门店") =>
  tenantChoiceFilter("storeId", label, useStoreChoices);
