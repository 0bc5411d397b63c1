// 运维人员: who looks after the cabinets of which stores.
import { operatorContract } from "@cabinet/contract/operator/operator.contract.ts";
import { storeContract } from "@cabinet/contract/store/store.contract.ts";
import { useIsPlatform } from "../../kit/permission.ts";
import { useCall } from "../../kit/query.ts";
import { choiceFilter } from "../../ui/filters.tsx";
import { AccountList } from "./account-list.tsx";
import { maintenanceColumns } from "./operator-columns.tsx";
import { useFilteredTenant, useOperatorFilters } from "./operator-filters.ts";

export default function MaintenanceListPage() {
  const filters = useOperatorFilters();
  const stores = useCall(
    storeContract.options,
    { query: useFilteredTenant() },
    { staleTime: 60_000 },
  );
  const storeFilter = choiceFilter(
    "storeId",
    "负责门店",
    stores.data?.map(({ id, name }) => ({ value: id, label: name })),
  );
  return (
    <AccountList
      title="运维人员"
      userType={2}
      spec={operatorContract.maintenanceList}
      filters={filters.toSpliced(2, 0, storeFilter)}
      columns={maintenanceColumns(useIsPlatform())}
      emptyHint="新增运维人员并指定负责的门店，对方就能处理这些门店的设备和故障"
    />
  );
}
