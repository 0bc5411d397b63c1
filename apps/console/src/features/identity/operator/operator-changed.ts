// Calls invalidated after an account changed.
import { roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";

export const operatorChanged = {
  invalidates: [
    operatorContract.list,
    operatorContract.maintenanceList,
    operatorContract.get,
    roleContract.list,
    roleContract.get,
    storeContract.get,
    storeContract.managers,
  ],
} as const;
