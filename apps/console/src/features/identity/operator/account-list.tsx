// List page of operator or maintenance accounts with their actions.
import type { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import { userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import { useState } from "react";
import { ListPage, type ListPageProps } from "../../../domain/list-page.tsx";
import { usePermissions } from "../../../kit/permission.ts";
import { Button } from "../../../ui/display/button.tsx";
import { useAskedNew } from "../../../ui/list/use-asked-new.ts";
import { useOperatorActions } from "./operator-actions.tsx";
import { OperatorDetail } from "./operator-detail.tsx";
import { NewOperatorForm } from "./operator-form.tsx";

type AccountSpec = typeof operatorContract.list | typeof operatorContract.maintenanceList;

export interface AccountListProps
  extends Pick<ListPageProps<AccountSpec>, "title" | "spec" | "filters" | "columns"> {
  /** Kind of the accounts created from this list. */
  userType: 1 | 2;
  emptyHint: string;
}

export function AccountList({ title, userType, spec, ...list }: AccountListProps) {
  const may = usePermissions();
  const { actionsOf, dialogs, showFirstPassword } = useOperatorActions();
  const [isAdding, setIsAdding] = useState(false);
  useAskedNew(() => setIsAdding(true));
  return (
    <>
      <ListPage<AccountSpec>
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
