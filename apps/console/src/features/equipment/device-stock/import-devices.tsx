// 导入新设备: columns and checks of a device, and the codes that an import returns once.
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import {
  deviceStockContract,
  type ImportReply,
  type IssuedCode,
  MAX_STOCK_DEVICES,
} from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import { MAX_IMPORT_LINES } from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import Alert from "antd/es/alert";
import { useState } from "react";
import { useCall, useWrite } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import type { JudgedLine } from "../../../ui/import/import.rules.ts";
import { ImportDialog } from "../../../ui/import/import-dialog.tsx";
import type { ImportSpec } from "../../../ui/import/import-spec.ts";
import { ActivationCodes } from "./activation-codes.tsx";
import { AssignTenant } from "./assign-tenant.tsx";
import { confirmCodesGone } from "./codes-dialog.tsx";
import { type DeviceColumn, deviceColumns, judgeDevices } from "./device-import.rules.ts";

type Model = NonNullable<ReturnType<typeof useModels>["data"]>[number];

const useModels = (enabled: boolean) =>
  useCall(cabinetModelContract.options, {}, { enabled, toasts: true });

export function ImportDevices({ open, onClose }: { open: boolean; onClose: () => void }) {
  const models = useModels(open);
  const importing = useWrite(deviceStockContract.importLines);
  const [areCodesKept, setAreCodesKept] = useState(false);
  const specOf = (known: readonly Model[]): ImportSpec<DeviceColumn, ImportReply> => ({
    key: "device-stock",
    thing: "新设备",
    unit: "台",
    columns: deviceColumns,
    most: MAX_IMPORT_LINES,
    choices: { model: known.map(({ name }) => name) },
    afterwards: "导入后显示每台设备的激活码，只显示一次。",
    judge: judgeDevices(known),
    send: ({ importId, mode, lines }) =>
      importing.mutateAsync({
        body: { importId, mode, lines: lines.map(({ line, values }) => ({ line, ...values })) },
      }),
    result: (reply, lines) => (
      <ImportedDevices reply={reply} lines={lines} onKept={() => setAreCodesKept(true)} />
    ),
    mayLeave: async () => areCodesKept || (await confirmCodesGone()),
  });
  return (
    <ImportDialog
      open={open}
      spec={specOf(models.data ?? [])}
      ready={async () => {
        setAreCodesKept(false);
        return specOf(models.data ?? (await models.refetch({ throwOnError: true })).data ?? []);
      }}
      onClose={onClose}
    />
  );
}

interface ImportedDevicesProps {
  reply: ImportReply;
  lines: readonly JudgedLine<DeviceColumn>[];
  onKept: () => void;
}

function ImportedDevices({ reply, lines, onKept }: ImportedDevicesProps) {
  const { codesReplaced, codeExpiresAt } = reply;
  const valuesOf = new Map(lines.map(({ line, values }) => [line, values]));
  const codes = reply.lines.flatMap(({ activationCode, line, sn }): IssuedCode[] => {
    if (!activationCode) return [];
    const { model = "", batch = "" } = valuesOf.get(line) ?? {};
    return [{ sn, modelName: model, batch, activationCode, codeExpiresAt }];
  });
  const devices = reply.lines.flatMap(({ stockId, sn }) => (stockId ? [{ id: stockId, sn }] : []));
  const [step, setStep] = useState<"imported" | "assigning" | "assigned">("imported");
  return (
    <>
      {codesReplaced > 0 && (
        <Alert
          type="warning"
          showIcon
          role="alert"
          title={`这是同一次导入的重复提交：其中 ${codesReplaced} 台之前的激活码已作废，请只用下面的激活码`}
        />
      )}
      <ActivationCodes codes={codes} onKept={onKept} />
      {devices.length <= MAX_STOCK_DEVICES && (
        <div className="import-buttons">
          <Button disabled={step === "assigned"} onClick={() => setStep("assigning")}>
            {step === "assigned" ? "已分配租户" : "分配租户"}
          </Button>
        </div>
      )}
      <AssignTenant
        devices={step === "assigning" ? devices : []}
        onClose={() => setStep((current) => (current === "assigned" ? current : "imported"))}
        onDone={() => setStep("assigned")}
      />
    </>
  );
}
