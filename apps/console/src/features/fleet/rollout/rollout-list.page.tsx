// 下发任务: live list of firmware and config roll-outs with actions.
import { rolloutContract } from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import {
  rolloutKindText,
  rolloutStateText,
} from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import { useState } from "react";
import { ListPage } from "../../../domain/list-page.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { usePermission } from "../../../kit/permission.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { useRolloutActions } from "./rollout-actions.tsx";
import { rolloutColumns } from "./rollout-columns.tsx";
import { RolloutDetail } from "./rollout-detail.tsx";
import { RolloutForm } from "./rollout-form.tsx";

const filters = [
  textFilter("keyword", "任务名称", "输入名称"),
  choiceFilter("kind", "类型", choicesOf(rolloutKindText)),
  choiceFilter("state", "状态", choicesOf(rolloutStateText)),
];

export const prefetch = listPrefetch(rolloutContract.list);

export default function RolloutListPage() {
  const mayWrite = usePermission("rollout:write");
  const { texts, filter } = useListState();
  const { ask, dialog } = useAction();
  const actionsOf = useRolloutActions(ask);
  const [isNew, setIsNew] = useState(false);
  // Cabinets preselected in 设备列表.
  const cabinetIds = texts.cabinetIds?.split(",").map(Number).filter(Number.isSafeInteger);
  const isOpen = isNew || cabinetIds !== undefined;
  return (
    <>
      <ListPage
        title="下发任务"
        spec={rolloutContract.list}
        heading={<ViewSwitch />}
        filters={filters}
        columns={rolloutColumns}
        rowKey={(rollout) => rollout.id}
        toolbar={
          mayWrite && (
            <Button type="primary" onClick={() => setIsNew(true)}>
              新建下发任务
            </Button>
          )
        }
        live="rollout"
        actions={mayWrite && { width: 188, of: (rollout) => rollout.name, list: actionsOf }}
        detail={{
          title: (rollout) => rollout.name,
          body: (rollout) => <RolloutDetail key={rollout.id} rollout={rollout} />,
        }}
        emptyHint="固件升级和分批下发的参数会显示在这里"
      />
      <RolloutForm
        open={isOpen}
        cabinetIds={cabinetIds ?? []}
        tenantId={cabinetIds && Number(texts.tenantId)}
        onClose={() => {
          setIsNew(false);
          if (cabinetIds) filter({ cabinetIds: "", tenantId: "" });
        }}
      />
      {dialog}
    </>
  );
}
