// 导入门店: the call, and the tenant that platform staff choose.
import {
  MAX_IMPORTED_STORES,
  storeContract,
} from "@cabinet/contract/organization/store/store.contract.ts";
import { useState } from "react";
import { TenantSelect } from "../../../domain/tenant/tenant-select.tsx";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { ImportDialog } from "../../../ui/import/import-dialog.tsx";
import { judgeStores, storeColumns } from "./store-import.rules.ts";

export function ImportStores({ open, onClose }: { open: boolean; onClose: () => void }) {
  const isPlatform = useIsPlatform();
  const importing = useWrite(storeContract.importLines);
  const [tenantId, setTenantId] = useState<number>();
  return (
    <ImportDialog
      open={open}
      spec={{
        key: "store",
        thing: "门店",
        unit: "家",
        columns: storeColumns,
        most: MAX_IMPORTED_STORES,
        ...(isPlatform && {
          before: {
            control: (
              <div className="import-before">
                <TenantSelect
                  label="租户"
                  onChange={setTenantId}
                  {...(tenantId !== undefined && { value: tenantId })}
                />
              </div>
            ),
            isMissing: tenantId === undefined,
          },
        }),
        judge: judgeStores,
        send: ({ mode, lines }) =>
          importing.mutateAsync({
            body: {
              mode,
              lines: lines.map(({ line, values }) => ({ line, ...values })),
              ...(isPlatform && tenantId !== undefined && { tenantId }),
            },
          }),
      }}
      onClose={onClose}
    />
  );
}
