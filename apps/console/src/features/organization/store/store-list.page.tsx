// 门店列表: list of stores with cabinet states and actions.

import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { type Store, storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { useState } from "react";
import { ListPage } from "../../../domain/list-page.tsx";
import { type OfTenant, tenantChoiceFilter } from "../../../domain/tenant/tenant-choice-filter.tsx";
import { Link, pathTo, useNavigate } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, textFilter } from "../../../ui/list/filters.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { ImportStores } from "./import-stores.tsx";
import { StoreAssign } from "./store-assign.tsx";
import { cabinetsLink, storeColumns } from "./store-columns.tsx";
import { StoreDetail } from "./store-detail.tsx";

const OPTIONS_STALE_MS = 60_000;

function useManagerChoices(query: OfTenant) {
  const managers = useCall(
    storeContract.managers,
    { query },
    { staleTime: OPTIONS_STALE_MS, toasts: true },
  );
  return managers.data?.map(({ id, displayName }) => ({ value: id, label: displayName }));
}

const filters = [
  textFilter("keyword", "门店", "名称/编码/地址"),
  textFilter("region", "地区", "输入省、市或区"),
  tenantChoiceFilter("managerId", "负责人", useManagerChoices),
  choiceFilter("hasCabinets", "设备", [
    { value: true, label: "有设备" },
    { value: false, label: "无设备" },
  ]),
];

export const prefetch = listPrefetch(storeContract.list);

export default function StoreListPage() {
  const may = usePermissions();
  const navigate = useNavigate();
  const { ask, dialog } = useAction();
  const [assigning, setAssigning] = useState<Store | null>(null);
  const [isImporting, setIsImporting] = useState(false);
  const remove = useWrite(storeContract.delete);

  const askDelete = (store: Store) =>
    ask({
      title: "删除门店",
      effect: <DeleteEffect store={store} />,
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ params: { id: store.id } }),
      done: `门店“${store.name}”已删除`,
    });
  const actionsOf = (store: Store): RowAction[] =>
    [
      may("cabinet:read") && { key: "cabinets", label: "设备", to: cabinetsLink(store.id) },
      may("store:write") && {
        key: "edit",
        label: "编辑",
        to: pathTo("/point/pointEdit", { id: store.id }),
      },
      may("cabinet:write") && {
        key: "assign",
        label: "分配设备",
        run: () => setAssigning(store),
      },
      may("store:write") && {
        key: "delete",
        label: "删除",
        isDanger: true,
        run: () => askDelete(store),
      },
    ].filter((action) => action !== false);

  return (
    <>
      <ListPage
        title="门店列表"
        spec={storeContract.list}
        filters={filters}
        columns={storeColumns}
        rowKey={(store) => store.id}
        toolbar={
          may("store:write") && (
            <>
              <Button type="primary" onClick={() => void navigate("/point/pointEdit")}>
                新增门店
              </Button>
              <Button onClick={() => setIsImporting(true)}>导入</Button>
            </>
          )
        }
        live="cabinet"
        actions={{ width: 132, of: (store) => store.name, list: actionsOf }}
        detail={{
          title: (store) => store.name,
          body: (store) => <StoreDetail store={store} />,
        }}
        emptyHint="新增门店并分配设备后，可按门店查看和管理"
      />
      {dialog}
      <ImportStores open={isImporting} onClose={() => setIsImporting(false)} />
      <StoreAssign store={assigning} onClose={() => setAssigning(null)} />
    </>
  );
}

/** Effect of the deletion, and what must be moved out first. */
function DeleteEffect({ store }: { store: Store }) {
  const detail = useCall(storeContract.get, { params: { id: store.id } });
  const cabinets = useCall(
    cabinetContract.list,
    { query: { page: 1, pageSize: 1, storeId: store.id } },
    { enabled: usePermissions()("cabinet:read") },
  );
  const caretakers = detail.data?.caretakers ?? [];
  const count = cabinets.data?.total ?? store.cabinets;
  return (
    <>
      门店
      <b>
        “{store.name}”（{store.code}）
      </b>
      将被删除，不能恢复。
      {caretakers.length > 0 && <p>运维人员{caretakers.join("、")}将不再负责它。</p>}
      {count > 0 && (
        <p>
          这里还有 {count} 台设备，要先移走才能删除：
          <Link className="ui-link" to={cabinetsLink(store.id)}>
            查看这些设备
          </Link>
        </p>
      )}
    </>
  );
}
