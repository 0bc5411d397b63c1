// List page of operator or maintenance accounts with their actions.
import type {
  Operator,
  operatorContract,
} from "@cabinet/contract/identity/operator/operator.contract.ts";
import { userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { ListPage } from "../../../domain/list-page.tsx";
import { usePermissions } from "../../../kit/permission.ts";
import type { Column } from "../../../ui/list/columns.ts";
import type { Filter } from "../../../ui/list/filters.tsx";
import { useOperatorActions } from "./operator-actions.tsx";
import { OperatorDetail } from "./operator-detail.tsx";
import { NewOperatorForm } from "./operator-form.tsx";

export interface AccountListProps {
  title: string;
  /** Kind of the accounts created from this list. */
  userType: 1 | 2;
  spec: typeof operatorContract.list | typeof operatorContract.maintenanceList;
  filters: readonly Filter[];
  columns: readonly Column<Operator>[];
  emptyHint: string;
}

export function AccountList({ title, userType, spec, ...list }: AccountListProps) {
  const may = usePermissions();
  const { actionsOf, dialogs, showFirstPassword } = useOperatorActions();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <ListPage<typeof spec>
        {...list}
        title={title}
        spec={spec}
        rowKey={(account) => account.id}
        toolbar={
          may("operator:write") && (
            <Button type="primary" onClick={() => setIsAdding(true)}>
              新增{userTypeText[userType]}
            </Button>
          )
        }
        live="access"
        actions={
          may("operator:write") && {
            width: 158,
            of: (account) => account.displayName,
            list: actionsOf,
          }
        }
        detail={{
          title: (account) => `${account.displayName}（${account.username}）`,
          body: (account) => <OperatorDetail account={account} />,
        }}
      />
      {dialogs}
      <NewOperatorForm
        open={isAdding}
        userType={userType}
        onMade={showFirstPassword}
        onClose={() => setIsAdding(false)}
      />
    </>
  );
}
