// 导入门店: the columns and the call.
import {
  MAX_IMPORTED_STORES,
  storeContract,
} from "@cabinet/contract/organization/store/store.contract.ts";
import { useImportTenant } from "../../../domain/tenant/import-tenant.tsx";
import { useWrite } from "../../../kit/query.ts";
import { ImportDialog } from "../../../ui/import/import-dialog.tsx";
import { judgeStores, storeColumns } from "./store-import.rules.ts";

export function ImportStores({ open, onClose }: { open: boolean; onClose: () => void }) {
  const importing = useWrite(storeContract.importLines);
  const { ofTenant, choice } = useImportTenant();
  return (
    <ImportDialog
      open={open}
      spec={{
        key: "store",
        thing: "门店",
        unit: "家",
        columns: storeColumns,
        most: MAX_IMPORTED_STORES,
        ...choice,
        judge: judgeStores,
        send: ({ mode, lines }) =>
          importing.mutateAsync({
            body: {
              mode,
              lines: lines.map(({ line, values }) => ({ line, ...values })),
              ...ofTenant,
            },
          }),
      }}
      onClose={onClose}
    />
  );
}
