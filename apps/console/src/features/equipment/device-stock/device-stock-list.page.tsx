// 新设备: the platform's device stock, from import to assignment and first connection.
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import {
  type DeviceStock,
  deviceStockContract,
} from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import { stockStateText } from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import { useState } from "react";
import { ListPage } from "../../../domain/list-page.tsx";
import { useCall } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { AssignTenant } from "./assign-tenant.tsx";
import { CodesDialog, type FreshCodes } from "./codes-dialog.tsx";
import { AddDevice, ChangeDevice } from "./device-form.tsx";
import { useDeviceActions, useDeviceQuestions } from "./device-stock-actions.tsx";
import { DeviceStockBatch } from "./device-stock-batch.tsx";
import { deviceStockColumns } from "./device-stock-columns.tsx";
import { DeviceStockDetail } from "./device-stock-detail.tsx";
import { ImportDevices } from "./import-devices.tsx";

const OPTIONS_STALE_MS = 60_000;

function useDeviceFilters() {
  const models = useCall(
    cabinetModelContract.options,
    {},
    { staleTime: OPTIONS_STALE_MS, toasts: true },
  );
  const batches = useCall(deviceStockContract.batches);
  return [
    textFilter("keyword", "编号/备注", "输入编号或备注"),
    choiceFilter(
      "modelId",
      "型号",
      models.data?.map(({ id, name }) => ({ value: id, label: name })),
    ),
    choiceFilter(
      "batch",
      "批次",
      batches.data?.map((batch) => ({ value: batch, label: batch })),
    ),
    choiceFilter("state", "状态", choicesOf(stockStateText)),
  ];
}

export const prefetch = listPrefetch(deviceStockContract.list);

export default function DeviceStockListPage() {
  const filters = useDeviceFilters();
  const { ask, dialog } = useAction();
  const [open, setOpen] = useState<"add" | "import" | null>(null);
  const [assigning, setAssigning] = useState<readonly DeviceStock[]>([]);
  const [changing, setChanging] = useState<DeviceStock | null>(null);
  const [fresh, setFresh] = useState<FreshCodes | null>(null);
  const [clearChoice, setClearChoice] = useState<() => void>(() => () => {});
  const assignOne = (device: DeviceStock) => setAssigning([device]);
  const questions = useDeviceQuestions(setFresh);
  const actionsOf = useDeviceActions(questions, {
    ask,
    assign: assignOne,
    change: setChanging,
  });
  return (
    <>
      <ListPage
        title="新设备"
        spec={deviceStockContract.list}
        filters={filters}
        columns={deviceStockColumns}
        rowKey={(device) => device.id}
        toolbar={
          <>
            <Button type="primary" onClick={() => setOpen("import")}>
              导入
            </Button>
            <Button onClick={() => setOpen("add")}>登记新设备</Button>
          </>
        }
        live="cabinet"
        actions={{ width: 160, of: (device) => device.sn, list: actionsOf }}
        batch={(devices, clear) => (
          <DeviceStockBatch
            devices={devices}
            questions={questions}
            ask={ask}
            assign={(chosen) => {
              setClearChoice(() => clear);
              setAssigning(chosen);
            }}
            onDone={clear}
          />
        )}
        detail={{
          title: (device) => device.sn,
          body: (device) => <DeviceStockDetail device={device} />,
        }}
        emptyHint="导入厂家的发货清单，或逐台登记；登记后生成激活码"
      />
      {dialog}
      <ImportDevices open={open === "import"} onClose={() => setOpen(null)} />
      <AddDevice
        open={open === "add"}
        onClose={() => setOpen(null)}
        onCode={(code) => setFresh({ title: "登记成功", codes: [code] })}
      />
      <ChangeDevice device={changing} onClose={() => setChanging(null)} />
      <AssignTenant
        devices={assigning}
        onClose={() => setAssigning([])}
        onDone={() => clearChoice()}
      />
      <CodesDialog fresh={fresh} onClose={() => setFresh(null)} />
    </>
  );
}
