// 设备型号: list of cabinet models; platform staff create and edit them.
import {
  type CabinetModel,
  cabinetModelContract,
} from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { pathTo, useNavigate } from "../../../kit/paths.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { cabinetModelColumns } from "./cabinet-model-columns.tsx";
import { CabinetModelDetail } from "./cabinet-model-detail.tsx";

const filters = [
  textFilter("name", "名称", "输入名称"),
  choiceFilter("side", "单双面", choicesOf(sideText)),
  textFilter("vendor", "厂商", "输入厂商"),
];

export const prefetch = listPrefetch(cabinetModelContract.list);

export default function CabinetModelListPage() {
  const isPlatform = useIsPlatform();
  const navigate = useNavigate();
  const { ask, dialog } = useAction();
  const remove = useWrite(cabinetModelContract.delete);
  const askDelete = ({ id, name }: CabinetModel) =>
    ask({
      title: "删除设备型号",
      effect: (
        <>
          设备型号<b>“{name}”</b>及其布局将被删除，不能恢复。
        </>
      ),
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ params: { id } }),
      done: `已删除“${name}”`,
    });
  const actionsOf = (model: CabinetModel): RowAction[] => [
    { key: "edit", label: "编辑", to: pathTo("/cupboard/ModelAdd", { id: model.id }) },
    { key: "copy", label: "复制", to: pathTo("/cupboard/ModelAdd", { copyOf: model.id }) },
    {
      key: "delete",
      label: "删除",
      isDanger: true,
      blocked:
        model.cabinetCount > 0 ? `正被 ${model.cabinetCount} 台设备使用，不能删除` : undefined,
      run: () => askDelete(model),
    },
  ];

  return (
    <>
      <ListPage
        title="设备型号"
        spec={cabinetModelContract.list}
        heading={<ViewSwitch />}
        filters={filters}
        columns={cabinetModelColumns}
        rowKey={(model) => model.id}
        toolbar={
          isPlatform && (
            <Button type="primary" onClick={() => void navigate("/cupboard/ModelAdd")}>
              新增设备型号
            </Button>
          )
        }
        actions={
          isPlatform && { width: 148, of: (model) => model.name, list: actionsOf, visibleCount: 3 }
        }
        detail={{
          title: (model) => model.name,
          body: (model) => <CabinetModelDetail model={model} />,
        }}
        emptyHint={isPlatform ? "先新增设备型号，再登记新设备" : "平台登记设备型号后，会出现在这里"}
      />
      {dialog}
    </>
  );
}
