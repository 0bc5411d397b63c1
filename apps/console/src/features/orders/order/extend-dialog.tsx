// 延长: postpones the overdue time of an order; pricing is unchanged.

import { minutesText } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { Order } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import { toast } from "../../../kit/feedback.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { OneSelect } from "../../../ui/form/one-select.tsx";
import type { OrderDialogProps } from "./order-subject.tsx";

const choices = [1, 3, 6, 12, 24, 48, 72, 168].map((hours) => ({
  id: hours,
  name: minutesText(hours * 60),
}));
const HOUR_MS = 3_600_000;

export function ExtendDialog({ order, onClose }: OrderDialogProps) {
  const extend = useWrite(orderActionContract.extend);
  return (
    <FormDialog
      open={order !== null}
      title={order ? `延长存放：订单 ${order.id}` : ""}
      schema={orderActionContract.extend.body}
      initial={{ hours: 24 }}
      fields={[
        {
          name: "hours",
          label: "延长",
          control: <OneSelect answer={{ data: choices, isLoading: false }} placeholder="请选择" />,
        },
        {
          name: "reason",
          label: "原因",
          control: (
            <Input.TextArea rows={2} maxLength={200} placeholder="如：取件人出差，已电话确认" />
          ),
        },
      ]}
      submitText="延长"
      submit={async (body) => {
        if (!order) return;
        await extend.mutateAsync({ params: { id: order.id }, body });
        toast.success("已延长，订单为“待取件”");
      }}
      onClose={onClose}
    >
      {order && <Effect order={order} />}
    </FormDialog>
  );
}

/** Preview of the new overdue time, counted from the current one or from now if that has passed. */
function Effect({ order }: { order: Order }) {
  const hours = Form.useWatch<number | undefined>("hours") ?? 24;
  const from = Math.max(Date.now(), order.overdueAt ? Date.parse(order.overdueAt) : 0);
  return (
    <p>
      滞留时限由 {formatDateTime(order.overdueAt)} 延至{" "}
      <b>{formatDateTime(from + hours * HOUR_MS)}</b>；取件码仍有效，费用照常计算。
    </p>
  );
}
