// Batch actions for the selected new devices.
import {
  type DeviceStock,
  MAX_STOCK_DEVICES,
} from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import {
  type StockState,
  stockStateText,
} from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import { toast } from "../../../kit/feedback.ts";
import type { ConfirmOptions, useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import type { DeviceQuestions } from "./device-stock-actions.tsx";

export interface DeviceStockBatchProps {
  devices: readonly DeviceStock[];
  questions: DeviceQuestions;
  ask: ReturnType<typeof useAction>["ask"];
  assign: (devices: readonly DeviceStock[]) => void;
  onDone: () => void;
}

export function DeviceStockBatch(props: DeviceStockBatchProps) {
  const { devices, questions, ask, assign, onDone } = props;

  /** Reports selected devices in an ineligible state before calling the server. */
  const among = (states: readonly StockState[], act: () => void) => () => {
    const wrong = devices.filter(({ state }) => !states.includes(state));
    const [first] = wrong;
    if (devices.length > MAX_STOCK_DEVICES)
      toast.error(`一次最多处理 ${MAX_STOCK_DEVICES} 台，请减少选择`);
    else if (first) {
      const which = `${first.sn}${wrong.length > 1 ? ` 等 ${wrong.length} 台` : ""}`;
      const wanted = states.map((state) => stockStateText[state]).join("、");
      toast.error(`所选的 ${which}状态不符：只能选择${wanted}的设备`);
    } else act();
  };

  const asking = (question: ConfirmOptions) =>
    ask({
      ...question,
      run: async (reason) => {
        await question.run(reason);
        onDone();
      },
    });

  return (
    <>
      <Button onClick={among(["IN_STOCK"], () => assign(devices))}>分配租户</Button>
      <Button onClick={among(["ASSIGNED"], () => asking(questions.recall(devices)))}>收回</Button>
      <Button
        onClick={among(["IN_STOCK", "ASSIGNED", "ACTIVATED"], () =>
          asking(questions.renew(devices)),
        )}
      >
        重新生成激活码
      </Button>
      <Button danger onClick={among(["IN_STOCK"], () => asking(questions.scrap(devices)))}>
        报废
      </Button>
    </>
  );
}
