// The filters of both lists of accounts.
import { roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import {
  dormancyText,
  operatorStateText,
} from "@cabinet/contract/identity/operator/operator.rules.ts";
import {
  namedChoices,
  type OfTenant,
  tenantChoiceFilter,
} from "../../../domain/tenant/tenant-choice-filter.tsx";
import { useCall } from "../../../kit/query.ts";
import { choiceFilter, choicesOf, phoneFilter, textFilter } from "../../../ui/list/filters.tsx";

const OPTIONS_STALE_MS = 60_000;

function useRoleChoices(query: OfTenant) {
  const roles = useCall(
    roleContract.options,
    { query },
    { staleTime: OPTIONS_STALE_MS, toasts: true },
  );
  return namedChoices(roles.data);
}

export const operatorFilters = [
  textFilter("keyword", "账号", "姓名/账号"),
  phoneFilter(),
  tenantChoiceFilter("roleId", "角色", useRoleChoices),
  choiceFilter("state", "状态", choicesOf(operatorStateText)),
  choiceFilter("dormancy", "登录情况", choicesOf(dormancyText)),
];
