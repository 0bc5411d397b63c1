// 运维人员: list of maintenance staff and their stores.
import { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import { storeFilter } from "../../../domain/tenant/tenant-choice-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { AccountList } from "./account-list.tsx";
import { maintenanceColumns } from "./operator-columns.tsx";
import { operatorFilters } from "./operator-filters.ts";

const filters = [
  ...operatorFilters.slice(0, 2),
  storeFilter("负责门店"),
  ...operatorFilters.slice(2),
];

export const prefetch = listPrefetch(operatorContract.maintenanceList);

export default function MaintenanceListPage() {
  return (
    <AccountList
      title="运维人员"
      userType={2}
      spec={operatorContract.maintenanceList}
      filters={filters}
      columns={maintenanceColumns}
      emptyHint="新增运维人员并指定负责的门店后，该账号可处理这些门店的设备和故障"
    />
  );
}
