// 导入标签: the columns and the call.
import { MOST_TAGS, tagColorText } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { tagContract } from "@cabinet/contract/orders/end-user/tag.contract.ts";
import { useImportTenant } from "../../../domain/tenant/import-tenant.tsx";
import { useWrite } from "../../../kit/query.ts";
import { ImportDialog } from "../../../ui/import/import-dialog.tsx";
import { endUserChanged } from "./end-user-changed.ts";
import { judgeTags, tagImportColumns } from "./tag-import.rules.ts";

export function ImportTags({ open, onClose }: { open: boolean; onClose: () => void }) {
  const importing = useWrite(tagContract.importLines, endUserChanged);
  const { ofTenant, choice } = useImportTenant();
  return (
    <ImportDialog
      open={open}
      spec={{
        key: "tag",
        thing: "标签",
        unit: "个",
        columns: tagImportColumns,
        most: MOST_TAGS,
        choices: { color: Object.values(tagColorText) },
        ...choice,
        judge: judgeTags,
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
