// 转故障: marks an order for manual handling and its compartment for repair.
import {
  orderActionContract,
  orderFaultText,
} from "@cabinet/contract/orders/order/order-action.contract.ts";
import Input from "antd/es/input";
import Select from "antd/es/select";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { type OrderDialogProps, OrderSubject } from "./order-subject.tsx";

const faults = Object.entries(orderFaultText).map(([value, label]) => ({ value, label }));

export function ExceptionDialog({ order, onClose }: OrderDialogProps) {
  const mark = useWrite(orderActionContract.markException);
  return (
    <FormDialog
      open={order !== null}
      title={order ? `转故障：订单 ${order.id}` : ""}
      schema={orderActionContract.markException.body}
      fields={[
        {
          name: "fault",
          label: "故障类型",
          control: <Select options={faults} placeholder="请选择" />,
        },
        {
          name: "reason",
          label: "情况说明",
          control: (
            <Input.TextArea rows={2} maxLength={200} placeholder="如：用户反映箱门打不开，已安抚" />
          ),
        },
      ]}
      submitText="转故障"
      submit={async (body) => {
        if (!order) return;
        await mark.mutateAsync({ params: { id: order.id }, body });
        toast.success("订单已转为异常，故障已登记");
      }}
      onClose={onClose}
    >
      {order && (
        <>
          <OrderSubject order={order} />
          <p>
            订单将变为“异常”，不再自动流转；同时为该格口登记一条故障，等待检修。物品仍可开门取出，处理后用“强制完成”结束订单。
          </p>
        </>
      )}
    </FormDialog>
  );
}
