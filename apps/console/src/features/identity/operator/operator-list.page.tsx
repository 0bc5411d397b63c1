// 运营人员: list of operator accounts; platform staff see all tenants' and its administrators.
import { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import { userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { choiceFilter } from "../../../ui/list/filters.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { AccountList } from "./account-list.tsx";
import { operatorColumns } from "./operator-columns.tsx";
import { operatorFilters } from "./operator-filters.ts";

const kindFilter = choiceFilter("userType", "类型", [
  { value: 0, label: userTypeText[0] },
  { value: 1, label: userTypeText[1] },
]);

export const prefetch = listPrefetch(operatorContract.list);

export default function OperatorListPage() {
  const isPlatform = useIsPlatform();
  return (
    <AccountList
      title="运营人员"
      userType={1}
      spec={operatorContract.list}
      filters={isPlatform ? [...operatorFilters, kindFilter] : operatorFilters}
      columns={operatorColumns}
      emptyHint="新增运营人员并分配角色后，该账号可使用账号和初始密码登录"
    />
  );
}
