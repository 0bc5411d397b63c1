// 更正手机号: the goods were stored for a wrong number; the right one, typed twice, gets a new code.
import { Phone, Reason, Strict } from "@cabinet/contract/kit/fields.ts";
import { orderRecipientContract } from "@cabinet/contract/orders/order/order-recipient.contract.ts";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { PhoneInput } from "../../../ui/form/phone-input.tsx";
import { TextWithExamples } from "../../../ui/form/text-with-examples.tsx";
import { type OrderDialogProps, OrderSubject } from "./order-subject.tsx";

const schema = Strict({ phone: Phone, again: Phone, reason: Reason });
const reasons = ["存件人填错号码", "用户更换号码，已核实身份", "第三方传错号码"];

export function RecipientDialog({ order, onClose }: OrderDialogProps) {
  const change = useWrite(orderRecipientContract.change);
  return (
    <FormDialog
      open={order !== null}
      title={order ? `更正手机号：订单 ${order.id}` : ""}
      schema={schema}
      fields={[
        {
          name: "phone",
          label: "新手机号",
          control: <PhoneInput placeholder="取件人的 11 位手机号" />,
          isRequired: true,
        },
        {
          name: "again",
          label: "再次输入",
          control: <PhoneInput placeholder="再输入一次新手机号" />,
          isRequired: true,
        },
        {
          name: "reason",
          label: "原因",
          control: <TextWithExamples of={reasons} placeholder="记入日志和订单的“处理记录”" />,
        },
      ]}
      submitText="更正手机号"
      submit={async ({ phone, again, reason }) => {
        if (!order) return;
        if (phone !== again) throw new Error("两次输入的手机号不一致，请核对");
        const body = { phone, reason, seenRecipientId: order.recipient.id };
        await change.mutateAsync({ params: { id: order.id }, body });
        toast.success("手机号已更正，新取件码的发送结果见订单的“处理记录”");
      }}
      onClose={onClose}
    >
      {order && (
        <>
          <OrderSubject order={order} />
          <p>
            请先核实身份。新号码会收到新的取件码，原取件码立即失效，并通知原号码。待付费用由新取件人支付；已付的款项不变，退款仍退给原付款人。
          </p>
        </>
      )}
    </FormDialog>
  );
}
