// 设备列表: all cabinets, updated live, with single and batch actions.

import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { type Cabinet, cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { connectivityText, lifecycleText } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import { serviceStateText } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { useState } from "react";
import { ListPage } from "../../../domain/list-page.tsx";
import { namedChoices, storeFilter } from "../../../domain/tenant/tenant-choice-filter.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { useAhead } from "../../../kit/late.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { lateDialog, latePart } from "../../../ui/display/late-part.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { ActionButtons, type RowAction } from "../../../ui/list/row-actions.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { useCabinetActions } from "./cabinet-actions.tsx";
import type { BatchProps } from "./cabinet-batch.tsx";
import { cabinetColumns } from "./cabinet-columns.tsx";
import type { CabinetQrProps } from "./cabinet-qr.tsx";
import { ConnectivityChoice } from "./connectivity-choice.tsx";

const CabinetDetail = latePart<{ cabinet: Cabinet }>(
  async () => (await import("./cabinet-detail.tsx")).CabinetDetail,
);
const CabinetQr = lateDialog<CabinetQrProps>(
  async () => (await import("./cabinet-qr.tsx")).CabinetQr,
  ({ cabinet, onClose }) => cabinet && onClose,
);
/** Shown once cabinets are selected, and loaded then with the forms of its dialogs. */
const CabinetBatch = latePart<BatchProps>(
  async () => (await import("./cabinet-batch.tsx")).CabinetBatch,
  { isInline: true },
);

const OPTIONS_STALE_MS = 60_000;

function useCabinetFilters() {
  const models = useCall(
    cabinetModelContract.options,
    {},
    { staleTime: OPTIONS_STALE_MS, toasts: true },
  );
  return [
    textFilter("keyword", "编号/名称", "输入编号或名称"),
    storeFilter(),
    choiceFilter("modelId", "型号", namedChoices(models.data)),
    choiceFilter("side", "单双面", choicesOf(sideText)),
    choiceFilter("connectivity", "在线状态", choicesOf(connectivityText)),
    choiceFilter("lifecycle", "运营状态", choicesOf(lifecycleText)),
    choiceFilter("serviceState", "服务状态", choicesOf(serviceStateText)),
    choiceFilter("hasFault", "故障", [
      { value: true, label: "有故障" },
      { value: false, label: "无故障" },
    ]),
  ];
}

export const prefetch = listPrefetch(cabinetContract.list);

export default function CabinetListPage() {
  const filters = useCabinetFilters();
  const mayWrite = usePermission("cabinet:write");
  const { ask, dialog } = useAction();
  const [qrOf, setQrOf] = useState<Cabinet | null>(null);
  useAhead(CabinetDetail);
  useAhead(CabinetQr);
  const actionsOf = useCabinetActions<Cabinet>(ask, setQrOf);
  return (
    <>
      <ListPage
        title="设备列表"
        spec={cabinetContract.list}
        heading={<ViewSwitch />}
        filters={filters}
        columns={cabinetColumns}
        rowKey={(cabinet) => cabinet.id}
        toolbar={<ConnectivityChoice />}
        live="cabinet"
        actions={{
          // Without write permission the action labels are longer.
          width: mayWrite ? 160 : 188,
          of: (cabinet) => cabinet.name,
          list: actionsOf,
        }}
        batch={
          mayWrite &&
          ((cabinets: Cabinet[], clear: () => void) => (
            <CabinetBatch cabinets={cabinets} onDone={clear} />
          ))
        }
        detail={{
          title: (cabinet) => cabinet.name,
          body: (cabinet) => <CabinetDetail cabinet={cabinet} />,
          footer: (cabinet) => <DrawerActions of={cabinet.name} actions={actionsOf(cabinet)} />,
        }}
        emptyHint="新设备登记并分配到租户后，会出现在这里"
      />
      {dialog}
      <CabinetQr cabinet={qrOf} onClose={() => setQrOf(null)} />
    </>
  );
}

const SHOWN_ACTIONS = 2;

/** Only possible actions; a paused cabinet waits for its return to service. */
function DrawerActions({ of, actions }: { of: string; actions: readonly RowAction[] }) {
  const possible = actions.filter(({ blocked }) => blocked === undefined);
  const first = possible.find(({ key }) => key === "resume") ?? possible[0];
  if (!first) return null;
  return (
    <ActionButtons
      of={of}
      first={first.key}
      actions={[first, ...possible.filter((action) => action !== first)]}
      visibleCount={SHOWN_ACTIONS}
    />
  );
}
