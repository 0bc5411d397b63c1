// The filters of both lists of accounts.
import { roleContract } from "@cabinet/contract/access/role.contract.ts";
import { dormancyText, operatorStateText } from "@cabinet/contract/operator/operator.rules.ts";
import { useCall } from "../../kit/query.ts";
import {
  choiceFilter,
  choicesOf,
  type Filter,
  phoneFilter,
  textFilter,
} from "../../ui/filters.tsx";
import { useListState } from "../../ui/list-state.ts";

const OPTIONS_STALE_MS = 60_000;

/** The tenant that the list is filtered by, if any. */
export function useFilteredTenant(): { tenantId?: number } {
  const tenantId = Number(useListState().texts.tenantId) || undefined;
  return tenantId ? { tenantId } : {};
}

export function useOperatorFilters(): Filter[] {
  const roles = useCall(
    roleContract.options,
    { query: useFilteredTenant() },
    { staleTime: OPTIONS_STALE_MS },
  );
  return [
    textFilter("keyword", "账号", "姓名/账号"),
    phoneFilter(),
    choiceFilter(
      "roleId",
      "角色",
      roles.data?.map(({ id, name }) => ({ value: id, label: name })),
    ),
    choiceFilter("state", "状态", choicesOf(operatorStateText)),
    choiceFilter("dormancy", "登录情况", choicesOf(dormancyText)),
  ];
}
