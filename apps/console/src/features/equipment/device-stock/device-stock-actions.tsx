// Actions on one or many new devices: recall, issue new codes, scrap, delete.
import {
  type DeviceStock,
  deviceStockContract,
} from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import { stockStateText } from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import { useWrite } from "../../../kit/query.ts";
import type { ConfirmOptions, useAction } from "../../../ui/display/action.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import type { FreshCodes } from "./codes-dialog.tsx";
import { cabinetPath } from "./device-stock-detail.tsx";

type Ask = ReturnType<typeof useAction>["ask"];

export function DeviceNames({ devices }: { devices: readonly Pick<DeviceStock, "sn">[] }) {
  const names = devices.slice(0, 5).map(({ sn }) => sn);
  const rest = devices.length - names.length;
  return (
    <p>
      设备 <b>{names.join("、")}</b>
      {rest > 0 && ` 等 ${devices.length} 台`}
    </p>
  );
}

const idsOf = (devices: readonly DeviceStock[]) => devices.map(({ id }) => id);

/** Confirmation dialogs shared by single-device and batch actions. */
export function useDeviceQuestions(showCodes: (fresh: FreshCodes) => void) {
  const recall = useWrite(deviceStockContract.recall);
  const renew = useWrite(deviceStockContract.renewCodes);
  const scrap = useWrite(deviceStockContract.scrap);
  const remove = useWrite(deviceStockContract.remove);

  return {
    recall: (devices: readonly DeviceStock[]): ConfirmOptions => ({
      title: "收回设备",
      effect: (
        <>
          <DeviceNames devices={devices} />
          将从租户的设备列表中移除并回到库存；原激活码作废，再次分配后需重新生成。
        </>
      ),
      confirm: "收回",
      isDanger: true,
      reasons: ["分配错误", "租户退货", "改发其他租户"],
      run: (reason) => recall.mutateAsync({ body: { stockIds: idsOf(devices), reason } }),
      done: `已收回 ${devices.length} 台设备`,
    }),
    renew: (devices: readonly DeviceStock[]): ConfirmOptions => ({
      title: "重新生成激活码",
      effect: (
        <>
          <DeviceNames devices={devices} />
          的旧激活码立即失效。
          {devices.some(({ codeState }) => codeState === "USED") &&
            "已连接的设备在重新激活前照常工作；用新激活码激活后，原密钥作废。"}
        </>
      ),
      confirm: "重新生成",
      isDanger: true,
      reasons: ["激活码遗失", "激活码过期", "更换主板"],
      run: async (reason) => {
        const codes = await renew.mutateAsync({ body: { stockIds: idsOf(devices), reason } });
        showCodes({ title: "新的激活码", codes });
      },
    }),
    scrap: (devices: readonly DeviceStock[]): ConfirmOptions => ({
      title: "报废设备",
      effect: (
        <>
          <DeviceNames devices={devices} />
          将标记为已报废，激活码作废，不能再分配；记录保留。
        </>
      ),
      confirm: "报废",
      isDanger: true,
      reasons: ["运输损坏", "质检不合格", "退回厂家"],
      run: (reason) => scrap.mutateAsync({ body: { stockIds: idsOf(devices), reason } }),
      done: `已报废 ${devices.length} 台设备`,
    }),
    remove: (device: DeviceStock): ConfirmOptions => ({
      title: "删除设备",
      effect: (
        <>
          <DeviceNames devices={[device]} />
          的登记将被删除，编号可以重新登记。只应删除登记有误的设备。
        </>
      ),
      confirm: "删除",
      isDanger: true,
      reasons: ["编号登记错误", "重复登记"],
      run: (reason) => remove.mutateAsync({ params: { id: device.id }, query: { reason } }),
      done: `${device.sn} 已删除`,
    }),
  };
}

export type DeviceQuestions = ReturnType<typeof useDeviceQuestions>;

interface RowActions {
  ask: Ask;
  assign: (device: DeviceStock) => void;
  change: (device: DeviceStock) => void;
}

/** Row actions of one device, most frequent first. */
export function useDeviceActions(questions: DeviceQuestions, { ask, assign, change }: RowActions) {
  return (device: DeviceStock): RowAction[] => {
    const { state } = device;
    const isInStock = state === "IN_STOCK";
    const hasCabinet = device.cabinetId !== null;
    const actions: (RowAction | false)[] = [
      isInStock && { key: "assign", label: "分配租户", run: () => assign(device) },
      hasCabinet && { key: "cabinet", label: "查看设备", to: cabinetPath(device) },
      state !== "SCRAPPED" && { key: "change", label: "编辑", run: () => change(device) },
      state !== "SCRAPPED" && {
        key: "renew",
        label: "重新生成激活码",
        run: () => ask(questions.renew([device])),
      },
      hasCabinet && {
        key: "recall",
        label: "收回",
        isDanger: true,
        blocked: state === "ASSIGNED" ? undefined : `${stockStateText[state]}的设备不能收回`,
        run: () => ask(questions.recall([device])),
      },
      isInStock && {
        key: "scrap",
        label: "报废",
        isDanger: true,
        run: () => ask(questions.scrap([device])),
      },
      !hasCabinet && {
        key: "remove",
        label: "删除",
        isDanger: true,
        run: () => ask(questions.remove(device)),
      },
    ];
    return actions.filter((action) => action !== false);
  };
}
