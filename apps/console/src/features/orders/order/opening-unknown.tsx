// Lets an operator decide an opening without result; the decision settles the held money.
import type { OrderDetail } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import Alert from "antd/es/alert";
import { usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";

export function OpeningUnknown({ order }: { order: OrderDetail }) {
  const mayWrite = usePermission("order:write");
  const decide = useWrite(orderActionContract.decideOpening);
  const { ask, dialog } = useAction();
  if (!order.isInDoubt) return null;
  const decision = (isOpened: boolean) =>
    ask({
      title: isOpened ? "确认：箱门打开过" : "确认：箱门没有打开",
      effect: isOpened ? (
        <p>
          {order.compartmentNo} 号格口按“已开门”继续：预扣的费用记为已支付，订单等待关门和取空。
        </p>
      ) : (
        <p>{order.compartmentNo} 号格口按“未开门”处理：预扣的费用退回余额，可以重新开门。</p>
      ),
      confirm: isOpened ? "箱门打开过" : "箱门没有打开",
      reasons: isOpened
        ? ["现场确认箱门打开过", "监控看到箱门打开"]
        : ["现场确认箱门关着", "用户确认没有打开"],
      run: (reason) => decide.mutateAsync({ params: { id: order.id }, body: { isOpened, reason } }),
      done: "已记录",
    });
  return (
    <>
      <Alert
        className="order-unknown"
        type="warning"
        showIcon
        title="最近一次开门没有结果：箱门可能已开，也可能没有"
        description={
          <>
            设备没有回报。请先由现场人员查看，再确认；确认之前，预扣的费用保持冻结。
            {mayWrite && (
              <span className="order-unknown-actions">
                <Button size="small" onClick={() => decision(true)}>
                  箱门打开过
                </Button>
                <Button size="small" onClick={() => decision(false)}>
                  箱门没有打开
                </Button>
              </span>
            )}
          </>
        }
      />
      {dialog}
    </>
  );
}
